// @ts-nocheck
// Generated from src/schema/requests.ts by `npm run build`. Do not edit it.
import { type CompiledRequest, concat, push, type Validator } from '../schema/validator.ts';

const VerifierRequest: Validator = validate21;
const schema6 = {"properties":{"turn":true,"agents":true,"wait_ms":true}};

function validate21(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.turn === undefined){
vErrors = push(vErrors, {instancePath,keyword:"required",params:{missingProperty: "turn"}});
errors++;
}
if(data.agents === undefined){
vErrors = push(vErrors, {instancePath,keyword:"required",params:{missingProperty: "agents"}});
errors++;
}
if(data.wait_ms === undefined){
vErrors = push(vErrors, {instancePath,keyword:"required",params:{missingProperty: "wait_ms"}});
errors++;
}
for(const key0 in data){
if(!(((key0 === "turn") || (key0 === "agents")) || (key0 === "wait_ms"))){
vErrors = push(vErrors, {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.turn !== undefined){
let data0 = data.turn;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
vErrors = push(vErrors, {instancePath:instancePath+"/turn",keyword:"type",params:{}});
errors++;
}
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 9007199254740991 || isNaN(data0)){
vErrors = push(vErrors, {instancePath:instancePath+"/turn",keyword:"maximum",params:{}});
errors++;
}
if(data0 < 0 || isNaN(data0)){
vErrors = push(vErrors, {instancePath:instancePath+"/turn",keyword:"minimum",params:{}});
errors++;
}
}
}
if(data.agents !== undefined){
let data1 = data.agents;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(Object.keys(data1).length > 200){
vErrors = push(vErrors, {instancePath:instancePath+"/agents",keyword:"maxProperties",params:{limit: 200}});
errors++;
}
for(const key1 in data1){
let data2 = data1[key1];
if((typeof data2 !== "string") && (data2 !== null)){
vErrors = push(vErrors, {instancePath:instancePath+"/agents/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),keyword:"type",params:{}});
errors++;
}
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/agents",keyword:"type",params:{}});
errors++;
}
}
if(data.wait_ms !== undefined){
let data3 = data.wait_ms;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
vErrors = push(vErrors, {instancePath:instancePath+"/wait_ms",keyword:"type",params:{}});
errors++;
}
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 > 1000 || isNaN(data3)){
vErrors = push(vErrors, {instancePath:instancePath+"/wait_ms",keyword:"maximum",params:{}});
errors++;
}
if(data3 < 0 || isNaN(data3)){
vErrors = push(vErrors, {instancePath:instancePath+"/wait_ms",keyword:"minimum",params:{}});
errors++;
}
}
}
}
else {
vErrors = push(vErrors, {instancePath,keyword:"type",params:{}});
errors++;
}
validate21.errors = vErrors;
return errors === 0;
}

const VerifierVerdicts: Validator = validate22;
const schema7 = {"properties":{"writer":true,"seq":true,"block":true,"erasable":true}};
const pattern0 = new RegExp("^[0-9a-f]{32}$", "u");

function validate22(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.writer === undefined){
vErrors = push(vErrors, {instancePath,keyword:"required",params:{missingProperty: "writer"}});
errors++;
}
if(data.seq === undefined){
vErrors = push(vErrors, {instancePath,keyword:"required",params:{missingProperty: "seq"}});
errors++;
}
if(data.block === undefined){
vErrors = push(vErrors, {instancePath,keyword:"required",params:{missingProperty: "block"}});
errors++;
}
for(const key0 in data){
if(!((((key0 === "writer") || (key0 === "seq")) || (key0 === "block")) || (key0 === "erasable"))){
vErrors = push(vErrors, {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.writer !== undefined){
let data0 = data.writer;
if(typeof data0 === "string"){
if(!pattern0.test(data0)){
vErrors = push(vErrors, {instancePath:instancePath+"/writer",keyword:"pattern",params:{}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/writer",keyword:"type",params:{}});
errors++;
}
}
if(data.seq !== undefined){
let data1 = data.seq;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
vErrors = push(vErrors, {instancePath:instancePath+"/seq",keyword:"type",params:{}});
errors++;
}
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 > 218340105584895 || isNaN(data1)){
vErrors = push(vErrors, {instancePath:instancePath+"/seq",keyword:"maximum",params:{}});
errors++;
}
if(data1 < 1 || isNaN(data1)){
vErrors = push(vErrors, {instancePath:instancePath+"/seq",keyword:"minimum",params:{}});
errors++;
}
}
}
if(data.block !== undefined){
let data2 = data.block;
if(typeof data2 === "string"){
if(data2.length > 1048576){
vErrors = push(vErrors, {instancePath:instancePath+"/block",keyword:"maxLength",params:{limit: 1048576}});
errors++;
}
if(data2.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/block",keyword:"minLength",params:{limit: 1}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/block",keyword:"type",params:{}});
errors++;
}
}
if(data.erasable !== undefined){
let data3 = data.erasable;
if(typeof data3 === "string"){
if(data3.length > 2097152){
vErrors = push(vErrors, {instancePath:instancePath+"/erasable",keyword:"maxLength",params:{limit: 2097152}});
errors++;
}
if(data3.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/erasable",keyword:"minLength",params:{limit: 1}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/erasable",keyword:"type",params:{}});
errors++;
}
}
}
else {
vErrors = push(vErrors, {instancePath,keyword:"type",params:{}});
errors++;
}
validate22.errors = vErrors;
return errors === 0;
}

export const verifierRequestSchema: CompiledRequest = { name: 'VerifierRequest', validate: VerifierRequest, fields: ["turn","agents","wait_ms"] };
export const verifierVerdictsSchema: CompiledRequest = { name: 'VerifierVerdicts', validate: VerifierVerdicts, fields: ["writer","seq","block","erasable"] };

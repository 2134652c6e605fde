// @ts-nocheck
// Generated from src/schema/requests.ts by `npm run build`. Do not edit it.
import { type CompiledRequest, concat, push, type Validator } from '../schema/validator.ts';

const WebhookRequest: Validator = validate21;
const schema6 = {"properties":{"url":true,"types":true,"description":true,"format":true}};

function validate21(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.url === undefined){
vErrors = push(vErrors, {instancePath,keyword:"required",params:{missingProperty: "url"}});
errors++;
}
if(data.types === undefined){
vErrors = push(vErrors, {instancePath,keyword:"required",params:{missingProperty: "types"}});
errors++;
}
for(const key0 in data){
if(!((((key0 === "url") || (key0 === "types")) || (key0 === "description")) || (key0 === "format"))){
vErrors = push(vErrors, {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.url !== undefined){
let data0 = data.url;
if(typeof data0 === "string"){
if(data0.length > 2048){
vErrors = push(vErrors, {instancePath:instancePath+"/url",keyword:"maxLength",params:{limit: 2048}});
errors++;
}
if(data0.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/url",keyword:"minLength",params:{limit: 1}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/url",keyword:"type",params:{}});
errors++;
}
}
if(data.types !== undefined){
let data1 = data.types;
if(Array.isArray(data1)){
if(data1.length > 32){
vErrors = push(vErrors, {instancePath:instancePath+"/types",keyword:"maxItems",params:{limit: 32}});
errors++;
}
if(data1.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/types",keyword:"minItems",params:{limit: 1}});
errors++;
}
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
let data2 = data1[i0];
if(typeof data2 === "string"){
if(data2.length > 64){
vErrors = push(vErrors, {instancePath:instancePath+"/types/" + i0,keyword:"maxLength",params:{limit: 64}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/types/" + i0,keyword:"type",params:{}});
errors++;
}
}
let i1 = data1.length;
let j0;
if(i1 > 1){
const indices0 = {};
for(;i1--;){
let item0 = data1[i1];
if(typeof item0 !== "string"){
continue;
}
if(typeof indices0[item0] == "number"){
j0 = indices0[item0];
vErrors = push(vErrors, {instancePath:instancePath+"/types",keyword:"uniqueItems",params:{i: i1, j: j0}});
errors++;
break;
}
indices0[item0] = i1;
}
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/types",keyword:"type",params:{}});
errors++;
}
}
if(data.description !== undefined){
let data3 = data.description;
if(typeof data3 === "string"){
if(data3.length > 500){
vErrors = push(vErrors, {instancePath:instancePath+"/description",keyword:"maxLength",params:{limit: 500}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/description",keyword:"type",params:{}});
errors++;
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

const WebhookPatch: Validator = validate22;
const schema7 = {"properties":{"url":true,"types":true,"status":true,"description":true,"format":true}};

function validate22(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!(((((key0 === "url") || (key0 === "types")) || (key0 === "status")) || (key0 === "description")) || (key0 === "format"))){
vErrors = push(vErrors, {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.url !== undefined){
let data0 = data.url;
if(typeof data0 === "string"){
if(data0.length > 2048){
vErrors = push(vErrors, {instancePath:instancePath+"/url",keyword:"maxLength",params:{limit: 2048}});
errors++;
}
if(data0.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/url",keyword:"minLength",params:{limit: 1}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/url",keyword:"type",params:{}});
errors++;
}
}
if(data.types !== undefined){
let data1 = data.types;
if(Array.isArray(data1)){
if(data1.length > 32){
vErrors = push(vErrors, {instancePath:instancePath+"/types",keyword:"maxItems",params:{limit: 32}});
errors++;
}
if(data1.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/types",keyword:"minItems",params:{limit: 1}});
errors++;
}
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
let data2 = data1[i0];
if(typeof data2 === "string"){
if(data2.length > 64){
vErrors = push(vErrors, {instancePath:instancePath+"/types/" + i0,keyword:"maxLength",params:{limit: 64}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/types/" + i0,keyword:"type",params:{}});
errors++;
}
}
let i1 = data1.length;
let j0;
if(i1 > 1){
const indices0 = {};
for(;i1--;){
let item0 = data1[i1];
if(typeof item0 !== "string"){
continue;
}
if(typeof indices0[item0] == "number"){
j0 = indices0[item0];
vErrors = push(vErrors, {instancePath:instancePath+"/types",keyword:"uniqueItems",params:{i: i1, j: j0}});
errors++;
break;
}
indices0[item0] = i1;
}
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/types",keyword:"type",params:{}});
errors++;
}
}
if(data.status !== undefined){
if(typeof data.status !== "string"){
vErrors = push(vErrors, {instancePath:instancePath+"/status",keyword:"type",params:{}});
errors++;
}
}
if(data.description !== undefined){
let data4 = data.description;
if((typeof data4 !== "string") && (data4 !== null)){
vErrors = push(vErrors, {instancePath:instancePath+"/description",keyword:"type",params:{}});
errors++;
}
if(typeof data4 === "string"){
if(data4.length > 500){
vErrors = push(vErrors, {instancePath:instancePath+"/description",keyword:"maxLength",params:{limit: 500}});
errors++;
}
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

const WebhookRotation: Validator = validate23;
const schema8 = {"properties":{"grace_seconds":true}};

function validate23(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!(key0 === "grace_seconds")){
vErrors = push(vErrors, {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.grace_seconds !== undefined){
let data0 = data.grace_seconds;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
vErrors = push(vErrors, {instancePath:instancePath+"/grace_seconds",keyword:"type",params:{}});
errors++;
}
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 604800 || isNaN(data0)){
vErrors = push(vErrors, {instancePath:instancePath+"/grace_seconds",keyword:"maximum",params:{}});
errors++;
}
if(data0 < 0 || isNaN(data0)){
vErrors = push(vErrors, {instancePath:instancePath+"/grace_seconds",keyword:"minimum",params:{}});
errors++;
}
}
}
}
else {
vErrors = push(vErrors, {instancePath,keyword:"type",params:{}});
errors++;
}
validate23.errors = vErrors;
return errors === 0;
}

export const webhookRequestSchema: CompiledRequest = { name: 'WebhookRequest', validate: WebhookRequest, fields: ["url","types","description","format"] };
export const webhookPatchSchema: CompiledRequest = { name: 'WebhookPatch', validate: WebhookPatch, fields: ["url","types","status","description","format"] };
export const webhookRotationSchema: CompiledRequest = { name: 'WebhookRotation', validate: WebhookRotation, fields: ["grace_seconds"] };

// @ts-nocheck
// Generated from requests.ts by `npm run build`; not written by hand.
import type { Validator } from './validator.ts';
import type { RequestName } from './requests.ts';
const LoginRequest: Validator = validate10;
const schema11 = {"type":"object","description":"Who signs in.","properties":{"email":{"type":"string","maxLength":1024},"password":{"type":"string"}},"required":["email","password"],"additionalProperties":false};

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.email === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "email"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.password === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "password"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data){
if(!((key0 === "email") || (key0 === "password"))){
const err2 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.email !== undefined){
let data0 = data.email;
if(typeof data0 === "string"){
if(data0.length > 1024){
const err3 = {instancePath:instancePath+"/email",keyword:"maxLength",params:{limit: 1024}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
else {
const err4 = {instancePath:instancePath+"/email",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.password !== undefined){
if(typeof data.password !== "string"){
const err5 = {instancePath:instancePath+"/password",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
else {
const err6 = {instancePath,keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
validate10.errors = vErrors;
return errors === 0;
}

const RegisterRequest: Validator = validate11;
const schema12 = {"type":"object","description":"The account to open.","properties":{"email":{"type":"string","minLength":3,"maxLength":254},"password":{"type":"string","description":"12 to 128 characters, any Unicode."}},"required":["email","password"],"additionalProperties":false};

function validate11(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.email === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "email"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.password === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "password"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data){
if(!((key0 === "email") || (key0 === "password"))){
const err2 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.email !== undefined){
let data0 = data.email;
if(typeof data0 === "string"){
if(data0.length > 254){
const err3 = {instancePath:instancePath+"/email",keyword:"maxLength",params:{limit: 254}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data0.length < 3){
const err4 = {instancePath:instancePath+"/email",keyword:"minLength",params:{limit: 3}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/email",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.password !== undefined){
if(typeof data.password !== "string"){
const err6 = {instancePath:instancePath+"/password",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
else {
const err7 = {instancePath,keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
validate11.errors = vErrors;
return errors === 0;
}

const KeyRequest: Validator = validate12;
const schema13 = {"type":"object","description":"The key to make. Scopes default to verify and revoke; a test key may only verify.","properties":{"name":{"type":"string","minLength":1,"maxLength":100},"environment":{"type":"string","enum":["live","test"]},"scopes":{"type":"array","items":{"type":"string","enum":["verify","revoke","reinstate"]},"minItems":1,"uniqueItems":true,"description":"What the key may do."},"agent_ids":{"type":"array","items":{"type":"string","minLength":1,"maxLength":512,"description":"did:web:<domain>:agents:<agent_name>","examples":["did:web:example.com:agents:shopper"]},"minItems":1,"maxItems":100,"uniqueItems":true,"description":"The only agents this key may ask about. Any other agent is agent_not_found."},"expires_at":{"type":"string","maxLength":64,"description":"RFC 3339 instant; any offset in, UTC with milliseconds and Z out.","examples":["2026-11-20T12:00:00.000Z"]}},"required":["name"],"additionalProperties":false};

function validate12(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.name === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "name"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 in data){
if(!(((((key0 === "name") || (key0 === "environment")) || (key0 === "scopes")) || (key0 === "agent_ids")) || (key0 === "expires_at"))){
const err1 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.name !== undefined){
let data0 = data.name;
if(typeof data0 === "string"){
if(data0.length > 100){
const err2 = {instancePath:instancePath+"/name",keyword:"maxLength",params:{limit: 100}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data0.length < 1){
const err3 = {instancePath:instancePath+"/name",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
else {
const err4 = {instancePath:instancePath+"/name",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.environment !== undefined){
let data1 = data.environment;
if(typeof data1 !== "string"){
const err5 = {instancePath:instancePath+"/environment",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(!((data1 === "live") || (data1 === "test"))){
const err6 = {instancePath:instancePath+"/environment",keyword:"enum",params:{allowedValues: schema13.properties.environment.enum}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.scopes !== undefined){
let data2 = data.scopes;
if(Array.isArray(data2)){
if(data2.length < 1){
const err7 = {instancePath:instancePath+"/scopes",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
const len0 = data2.length;
for(let i0=0; i0<len0; i0++){
let data3 = data2[i0];
if(typeof data3 !== "string"){
const err8 = {instancePath:instancePath+"/scopes/" + i0,keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(!(((data3 === "verify") || (data3 === "revoke")) || (data3 === "reinstate"))){
const err9 = {instancePath:instancePath+"/scopes/" + i0,keyword:"enum",params:{allowedValues: schema13.properties.scopes.items.enum}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
let i1 = data2.length;
let j0;
if(i1 > 1){
const indices0 = {};
for(;i1--;){
let item0 = data2[i1];
if(typeof item0 !== "string"){
continue;
}
if(typeof indices0[item0] == "number"){
j0 = indices0[item0];
const err10 = {instancePath:instancePath+"/scopes",keyword:"uniqueItems",params:{i: i1, j: j0}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
break;
}
indices0[item0] = i1;
}
}
}
else {
const err11 = {instancePath:instancePath+"/scopes",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.agent_ids !== undefined){
let data4 = data.agent_ids;
if(Array.isArray(data4)){
if(data4.length > 100){
const err12 = {instancePath:instancePath+"/agent_ids",keyword:"maxItems",params:{limit: 100}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if(data4.length < 1){
const err13 = {instancePath:instancePath+"/agent_ids",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
const len1 = data4.length;
for(let i2=0; i2<len1; i2++){
let data5 = data4[i2];
if(typeof data5 === "string"){
if(data5.length > 512){
const err14 = {instancePath:instancePath+"/agent_ids/" + i2,keyword:"maxLength",params:{limit: 512}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
if(data5.length < 1){
const err15 = {instancePath:instancePath+"/agent_ids/" + i2,keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
else {
const err16 = {instancePath:instancePath+"/agent_ids/" + i2,keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
let i3 = data4.length;
let j1;
if(i3 > 1){
const indices1 = {};
for(;i3--;){
let item1 = data4[i3];
if(typeof item1 !== "string"){
continue;
}
if(typeof indices1[item1] == "number"){
j1 = indices1[item1];
const err17 = {instancePath:instancePath+"/agent_ids",keyword:"uniqueItems",params:{i: i3, j: j1}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
break;
}
indices1[item1] = i3;
}
}
}
else {
const err18 = {instancePath:instancePath+"/agent_ids",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data.expires_at !== undefined){
let data6 = data.expires_at;
if(typeof data6 === "string"){
if(data6.length > 64){
const err19 = {instancePath:instancePath+"/expires_at",keyword:"maxLength",params:{limit: 64}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
else {
const err20 = {instancePath:instancePath+"/expires_at",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
}
else {
const err21 = {instancePath,keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
validate12.errors = vErrors;
return errors === 0;
}

const KeyPatch: Validator = validate13;
const schema14 = {"type":"object","description":"What to change of a key. agent_ids null: every agent of the account.","properties":{"name":{"type":"string","minLength":1,"maxLength":100},"scopes":{"type":"array","items":{"type":"string","enum":["verify","revoke","reinstate"]},"minItems":1,"uniqueItems":true,"description":"What the key may do."},"agent_ids":{"type":["array","null"],"items":{"type":"string","minLength":1,"maxLength":512,"description":"did:web:<domain>:agents:<agent_name>","examples":["did:web:example.com:agents:shopper"]},"minItems":1,"maxItems":100,"uniqueItems":true,"description":"The only agents this key may ask about. Any other agent is agent_not_found."}},"required":[],"additionalProperties":false};

function validate13(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!(((key0 === "name") || (key0 === "scopes")) || (key0 === "agent_ids"))){
const err0 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.name !== undefined){
let data0 = data.name;
if(typeof data0 === "string"){
if(data0.length > 100){
const err1 = {instancePath:instancePath+"/name",keyword:"maxLength",params:{limit: 100}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data0.length < 1){
const err2 = {instancePath:instancePath+"/name",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
else {
const err3 = {instancePath:instancePath+"/name",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.scopes !== undefined){
let data1 = data.scopes;
if(Array.isArray(data1)){
if(data1.length < 1){
const err4 = {instancePath:instancePath+"/scopes",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
let data2 = data1[i0];
if(typeof data2 !== "string"){
const err5 = {instancePath:instancePath+"/scopes/" + i0,keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(!(((data2 === "verify") || (data2 === "revoke")) || (data2 === "reinstate"))){
const err6 = {instancePath:instancePath+"/scopes/" + i0,keyword:"enum",params:{allowedValues: schema14.properties.scopes.items.enum}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
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
const err7 = {instancePath:instancePath+"/scopes",keyword:"uniqueItems",params:{i: i1, j: j0}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
break;
}
indices0[item0] = i1;
}
}
}
else {
const err8 = {instancePath:instancePath+"/scopes",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.agent_ids !== undefined){
let data3 = data.agent_ids;
if((!(Array.isArray(data3))) && (data3 !== null)){
const err9 = {instancePath:instancePath+"/agent_ids",keyword:"type",params:{type: schema14.properties.agent_ids.type}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(Array.isArray(data3)){
if(data3.length > 100){
const err10 = {instancePath:instancePath+"/agent_ids",keyword:"maxItems",params:{limit: 100}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(data3.length < 1){
const err11 = {instancePath:instancePath+"/agent_ids",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
const len1 = data3.length;
for(let i2=0; i2<len1; i2++){
let data4 = data3[i2];
if(typeof data4 === "string"){
if(data4.length > 512){
const err12 = {instancePath:instancePath+"/agent_ids/" + i2,keyword:"maxLength",params:{limit: 512}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if(data4.length < 1){
const err13 = {instancePath:instancePath+"/agent_ids/" + i2,keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
else {
const err14 = {instancePath:instancePath+"/agent_ids/" + i2,keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
let i3 = data3.length;
let j1;
if(i3 > 1){
const indices1 = {};
for(;i3--;){
let item1 = data3[i3];
if(typeof item1 !== "string"){
continue;
}
if(typeof indices1[item1] == "number"){
j1 = indices1[item1];
const err15 = {instancePath:instancePath+"/agent_ids",keyword:"uniqueItems",params:{i: i3, j: j1}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
break;
}
indices1[item1] = i3;
}
}
}
}
}
else {
const err16 = {instancePath,keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
validate13.errors = vErrors;
return errors === 0;
}

const KeyRotation: Validator = validate14;
const schema15 = {"type":"object","description":"How long the replaced key goes on working.","properties":{"grace_seconds":{"type":"integer","minimum":0,"maximum":604800,"description":"Seconds the old key goes on working, never past its own expiry; by default it ends at once."}},"required":[],"additionalProperties":false};

function validate14(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!(key0 === "grace_seconds")){
const err0 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.grace_seconds !== undefined){
let data0 = data.grace_seconds;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
const err1 = {instancePath:instancePath+"/grace_seconds",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 604800 || isNaN(data0)){
const err2 = {instancePath:instancePath+"/grace_seconds",keyword:"maximum",params:{comparison: "<=", limit: 604800}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data0 < 0 || isNaN(data0)){
const err3 = {instancePath:instancePath+"/grace_seconds",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
}
else {
const err4 = {instancePath,keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
validate14.errors = vErrors;
return errors === 0;
}

const PasswordChange: Validator = validate15;
const schema16 = {"type":"object","description":"The password as it is and as it is to be.","properties":{"current_password":{"type":"string"},"new_password":{"type":"string","description":"12 to 128 characters, any Unicode."}},"required":["current_password","new_password"],"additionalProperties":false};

function validate15(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.current_password === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "current_password"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.new_password === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "new_password"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data){
if(!((key0 === "current_password") || (key0 === "new_password"))){
const err2 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.current_password !== undefined){
if(typeof data.current_password !== "string"){
const err3 = {instancePath:instancePath+"/current_password",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.new_password !== undefined){
if(typeof data.new_password !== "string"){
const err4 = {instancePath:instancePath+"/new_password",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
}
else {
const err5 = {instancePath,keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
validate15.errors = vErrors;
return errors === 0;
}

const PassportRequest: Validator = validate16;
const schema17 = {"type":"object","description":"The passport to issue.","properties":{"domain":{"type":"string","minLength":1,"maxLength":512,"description":"Lower-case ASCII domain of at least two labels, an optional port as %3A and number. Never mapped, trimmed or lower-cased.","examples":["example.com"]},"agent_name":{"type":"string","minLength":1,"maxLength":63,"description":"[a-z0-9][a-z0-9._-]{0,62}, not ending in a dot.","examples":["shopper"]},"allowed_actions":{"type":"array","items":{"type":"string"},"maxItems":256,"uniqueItems":true,"description":"Actions, compared exactly, or patterns that end in .* or :*, or * alone for every action of the grammar [A-Za-z0-9][A-Za-z0-9._:/-]{0,127}.","examples":[["payments.create","orders.*"]]},"monetary_limit_per_txn":{"type":["number","string"],"description":"Exact decimal, 0 to 10^15, at most 6 decimals (at most those of the currency). Send as a string what a JSON number cannot hold exactly.","examples":[100,"19.99"]},"denied_actions":{"type":"array","items":{"type":"string"},"maxItems":256,"uniqueItems":true,"description":"Actions, compared exactly, or patterns that end in .* or :*, or * alone for every action of the grammar [A-Za-z0-9][A-Za-z0-9._:/-]{0,127}.","examples":[["payments.create","orders.*"]]},"currency":{"type":"string","description":"ISO 4217 code in upper case.","examples":["EUR"]},"allowed_targets":{"type":"array","items":{"type":"string","maxLength":512},"maxItems":256,"uniqueItems":true,"description":"DIDs, exact, or did:web:*.example.com for every sub-domain. Absent: any target.","examples":[["did:web:shop.example.com","did:web:*.suppliers.example"]]},"monetary_actions":{"type":"array","items":{"type":"string"},"maxItems":256,"uniqueItems":true,"description":"Actions, compared exactly, or patterns that end in .* or :*, or * alone for every action of the grammar [A-Za-z0-9][A-Za-z0-9._:/-]{0,127}.","examples":[["payments.create","orders.*"]]},"not_before":{"type":"string","maxLength":64,"description":"RFC 3339 instant; any offset in, UTC with milliseconds and Z out.","examples":["2026-11-20T12:00:00.000Z"]},"expires_at":{"type":"string","maxLength":64,"description":"RFC 3339 instant; any offset in, UTC with milliseconds and Z out.","examples":["2026-11-20T12:00:00.000Z"]},"description":{"type":"string","maxLength":500},"metadata":{"type":"object","maxProperties":20,"additionalProperties":{"type":"string","maxLength":500},"description":"At most 20 string values of at most 500 characters."}},"required":["domain","agent_name","allowed_actions","monetary_limit_per_txn"],"additionalProperties":false};
const func2 = Object.prototype.hasOwnProperty;

function validate16(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.domain === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "domain"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.agent_name === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "agent_name"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.allowed_actions === undefined){
const err2 = {instancePath,keyword:"required",params:{missingProperty: "allowed_actions"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data.monetary_limit_per_txn === undefined){
const err3 = {instancePath,keyword:"required",params:{missingProperty: "monetary_limit_per_txn"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
for(const key0 in data){
if(!(func2.call(schema17.properties, key0))){
const err4 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.domain !== undefined){
let data0 = data.domain;
if(typeof data0 === "string"){
if(data0.length > 512){
const err5 = {instancePath:instancePath+"/domain",keyword:"maxLength",params:{limit: 512}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data0.length < 1){
const err6 = {instancePath:instancePath+"/domain",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/domain",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.agent_name !== undefined){
let data1 = data.agent_name;
if(typeof data1 === "string"){
if(data1.length > 63){
const err8 = {instancePath:instancePath+"/agent_name",keyword:"maxLength",params:{limit: 63}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(data1.length < 1){
const err9 = {instancePath:instancePath+"/agent_name",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/agent_name",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.allowed_actions !== undefined){
let data2 = data.allowed_actions;
if(Array.isArray(data2)){
if(data2.length > 256){
const err11 = {instancePath:instancePath+"/allowed_actions",keyword:"maxItems",params:{limit: 256}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
const len0 = data2.length;
for(let i0=0; i0<len0; i0++){
if(typeof data2[i0] !== "string"){
const err12 = {instancePath:instancePath+"/allowed_actions/" + i0,keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
let i1 = data2.length;
let j0;
if(i1 > 1){
const indices0 = {};
for(;i1--;){
let item0 = data2[i1];
if(typeof item0 !== "string"){
continue;
}
if(typeof indices0[item0] == "number"){
j0 = indices0[item0];
const err13 = {instancePath:instancePath+"/allowed_actions",keyword:"uniqueItems",params:{i: i1, j: j0}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
break;
}
indices0[item0] = i1;
}
}
}
else {
const err14 = {instancePath:instancePath+"/allowed_actions",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data.monetary_limit_per_txn !== undefined){
let data4 = data.monetary_limit_per_txn;
if((!((typeof data4 == "number") && (isFinite(data4)))) && (typeof data4 !== "string")){
const err15 = {instancePath:instancePath+"/monetary_limit_per_txn",keyword:"type",params:{type: schema17.properties.monetary_limit_per_txn.type}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data.denied_actions !== undefined){
let data5 = data.denied_actions;
if(Array.isArray(data5)){
if(data5.length > 256){
const err16 = {instancePath:instancePath+"/denied_actions",keyword:"maxItems",params:{limit: 256}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
const len1 = data5.length;
for(let i2=0; i2<len1; i2++){
if(typeof data5[i2] !== "string"){
const err17 = {instancePath:instancePath+"/denied_actions/" + i2,keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
let i3 = data5.length;
let j1;
if(i3 > 1){
const indices1 = {};
for(;i3--;){
let item1 = data5[i3];
if(typeof item1 !== "string"){
continue;
}
if(typeof indices1[item1] == "number"){
j1 = indices1[item1];
const err18 = {instancePath:instancePath+"/denied_actions",keyword:"uniqueItems",params:{i: i3, j: j1}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
break;
}
indices1[item1] = i3;
}
}
}
else {
const err19 = {instancePath:instancePath+"/denied_actions",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
if(data.currency !== undefined){
if(typeof data.currency !== "string"){
const err20 = {instancePath:instancePath+"/currency",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
if(data.allowed_targets !== undefined){
let data8 = data.allowed_targets;
if(Array.isArray(data8)){
if(data8.length > 256){
const err21 = {instancePath:instancePath+"/allowed_targets",keyword:"maxItems",params:{limit: 256}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
const len2 = data8.length;
for(let i4=0; i4<len2; i4++){
let data9 = data8[i4];
if(typeof data9 === "string"){
if(data9.length > 512){
const err22 = {instancePath:instancePath+"/allowed_targets/" + i4,keyword:"maxLength",params:{limit: 512}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
else {
const err23 = {instancePath:instancePath+"/allowed_targets/" + i4,keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
let i5 = data8.length;
let j2;
if(i5 > 1){
const indices2 = {};
for(;i5--;){
let item2 = data8[i5];
if(typeof item2 !== "string"){
continue;
}
if(typeof indices2[item2] == "number"){
j2 = indices2[item2];
const err24 = {instancePath:instancePath+"/allowed_targets",keyword:"uniqueItems",params:{i: i5, j: j2}};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
break;
}
indices2[item2] = i5;
}
}
}
else {
const err25 = {instancePath:instancePath+"/allowed_targets",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
if(data.monetary_actions !== undefined){
let data10 = data.monetary_actions;
if(Array.isArray(data10)){
if(data10.length > 256){
const err26 = {instancePath:instancePath+"/monetary_actions",keyword:"maxItems",params:{limit: 256}};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
const len3 = data10.length;
for(let i6=0; i6<len3; i6++){
if(typeof data10[i6] !== "string"){
const err27 = {instancePath:instancePath+"/monetary_actions/" + i6,keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
let i7 = data10.length;
let j3;
if(i7 > 1){
const indices3 = {};
for(;i7--;){
let item3 = data10[i7];
if(typeof item3 !== "string"){
continue;
}
if(typeof indices3[item3] == "number"){
j3 = indices3[item3];
const err28 = {instancePath:instancePath+"/monetary_actions",keyword:"uniqueItems",params:{i: i7, j: j3}};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
break;
}
indices3[item3] = i7;
}
}
}
else {
const err29 = {instancePath:instancePath+"/monetary_actions",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
if(data.not_before !== undefined){
let data12 = data.not_before;
if(typeof data12 === "string"){
if(data12.length > 64){
const err30 = {instancePath:instancePath+"/not_before",keyword:"maxLength",params:{limit: 64}};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
else {
const err31 = {instancePath:instancePath+"/not_before",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
if(data.expires_at !== undefined){
let data13 = data.expires_at;
if(typeof data13 === "string"){
if(data13.length > 64){
const err32 = {instancePath:instancePath+"/expires_at",keyword:"maxLength",params:{limit: 64}};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
else {
const err33 = {instancePath:instancePath+"/expires_at",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
if(data.description !== undefined){
let data14 = data.description;
if(typeof data14 === "string"){
if(data14.length > 500){
const err34 = {instancePath:instancePath+"/description",keyword:"maxLength",params:{limit: 500}};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
else {
const err35 = {instancePath:instancePath+"/description",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
if(data.metadata !== undefined){
let data15 = data.metadata;
if(data15 && typeof data15 == "object" && !Array.isArray(data15)){
if(Object.keys(data15).length > 20){
const err36 = {instancePath:instancePath+"/metadata",keyword:"maxProperties",params:{limit: 20}};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
for(const key1 in data15){
let data16 = data15[key1];
if(typeof data16 === "string"){
if(data16.length > 500){
const err37 = {instancePath:instancePath+"/metadata/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),keyword:"maxLength",params:{limit: 500}};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
}
else {
const err38 = {instancePath:instancePath+"/metadata/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
}
}
else {
const err39 = {instancePath:instancePath+"/metadata",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
}
}
else {
const err40 = {instancePath,keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
validate16.errors = vErrors;
return errors === 0;
}

const PassportPatch: Validator = validate17;
const schema18 = {"type":"object","description":"JSON Merge Patch (RFC 7396): null removes an optional field.","properties":{"allowed_actions":{"type":"array","items":{"type":"string"},"maxItems":256,"uniqueItems":true,"description":"Actions, compared exactly, or patterns that end in .* or :*, or * alone for every action of the grammar [A-Za-z0-9][A-Za-z0-9._:/-]{0,127}.","examples":[["payments.create","orders.*"]]},"monetary_limit_per_txn":{"type":["number","string"],"description":"Exact decimal, 0 to 10^15, at most 6 decimals (at most those of the currency). Send as a string what a JSON number cannot hold exactly.","examples":[100,"19.99"]},"denied_actions":{"type":["array","null"],"items":{"type":"string"},"maxItems":256,"uniqueItems":true,"description":"Actions, compared exactly, or patterns that end in .* or :*, or * alone for every action of the grammar [A-Za-z0-9][A-Za-z0-9._:/-]{0,127}.","examples":[["payments.create","orders.*"]]},"currency":{"type":["string","null"],"description":"ISO 4217 code in upper case.","examples":["EUR"]},"allowed_targets":{"type":["array","null"],"items":{"type":"string","maxLength":512},"maxItems":256,"uniqueItems":true,"description":"DIDs, exact, or did:web:*.example.com for every sub-domain. Absent: any target.","examples":[["did:web:shop.example.com","did:web:*.suppliers.example"]]},"monetary_actions":{"type":["array","null"],"items":{"type":"string"},"maxItems":256,"uniqueItems":true,"description":"Actions, compared exactly, or patterns that end in .* or :*, or * alone for every action of the grammar [A-Za-z0-9][A-Za-z0-9._:/-]{0,127}.","examples":[["payments.create","orders.*"]]},"not_before":{"type":["string","null"],"maxLength":64,"description":"RFC 3339 instant; any offset in, UTC with milliseconds and Z out.","examples":["2026-11-20T12:00:00.000Z"]},"expires_at":{"type":["string","null"],"maxLength":64,"description":"RFC 3339 instant; any offset in, UTC with milliseconds and Z out.","examples":["2026-11-20T12:00:00.000Z"]},"description":{"type":["string","null"],"maxLength":500},"metadata":{"type":["object","null"],"additionalProperties":{"type":["string","null"],"maxLength":500},"description":"Merged into what is stored; null removes a name."}},"required":[],"additionalProperties":false};

function validate17(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!(func2.call(schema18.properties, key0))){
const err0 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.allowed_actions !== undefined){
let data0 = data.allowed_actions;
if(Array.isArray(data0)){
if(data0.length > 256){
const err1 = {instancePath:instancePath+"/allowed_actions",keyword:"maxItems",params:{limit: 256}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
if(typeof data0[i0] !== "string"){
const err2 = {instancePath:instancePath+"/allowed_actions/" + i0,keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
let i1 = data0.length;
let j0;
if(i1 > 1){
const indices0 = {};
for(;i1--;){
let item0 = data0[i1];
if(typeof item0 !== "string"){
continue;
}
if(typeof indices0[item0] == "number"){
j0 = indices0[item0];
const err3 = {instancePath:instancePath+"/allowed_actions",keyword:"uniqueItems",params:{i: i1, j: j0}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
break;
}
indices0[item0] = i1;
}
}
}
else {
const err4 = {instancePath:instancePath+"/allowed_actions",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.monetary_limit_per_txn !== undefined){
let data2 = data.monetary_limit_per_txn;
if((!((typeof data2 == "number") && (isFinite(data2)))) && (typeof data2 !== "string")){
const err5 = {instancePath:instancePath+"/monetary_limit_per_txn",keyword:"type",params:{type: schema18.properties.monetary_limit_per_txn.type}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.denied_actions !== undefined){
let data3 = data.denied_actions;
if((!(Array.isArray(data3))) && (data3 !== null)){
const err6 = {instancePath:instancePath+"/denied_actions",keyword:"type",params:{type: schema18.properties.denied_actions.type}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(Array.isArray(data3)){
if(data3.length > 256){
const err7 = {instancePath:instancePath+"/denied_actions",keyword:"maxItems",params:{limit: 256}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
const len1 = data3.length;
for(let i2=0; i2<len1; i2++){
if(typeof data3[i2] !== "string"){
const err8 = {instancePath:instancePath+"/denied_actions/" + i2,keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
let i3 = data3.length;
let j1;
if(i3 > 1){
const indices1 = {};
for(;i3--;){
let item1 = data3[i3];
if(typeof item1 !== "string"){
continue;
}
if(typeof indices1[item1] == "number"){
j1 = indices1[item1];
const err9 = {instancePath:instancePath+"/denied_actions",keyword:"uniqueItems",params:{i: i3, j: j1}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
break;
}
indices1[item1] = i3;
}
}
}
}
if(data.currency !== undefined){
let data5 = data.currency;
if((typeof data5 !== "string") && (data5 !== null)){
const err10 = {instancePath:instancePath+"/currency",keyword:"type",params:{type: schema18.properties.currency.type}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.allowed_targets !== undefined){
let data6 = data.allowed_targets;
if((!(Array.isArray(data6))) && (data6 !== null)){
const err11 = {instancePath:instancePath+"/allowed_targets",keyword:"type",params:{type: schema18.properties.allowed_targets.type}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(Array.isArray(data6)){
if(data6.length > 256){
const err12 = {instancePath:instancePath+"/allowed_targets",keyword:"maxItems",params:{limit: 256}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
const len2 = data6.length;
for(let i4=0; i4<len2; i4++){
let data7 = data6[i4];
if(typeof data7 === "string"){
if(data7.length > 512){
const err13 = {instancePath:instancePath+"/allowed_targets/" + i4,keyword:"maxLength",params:{limit: 512}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
else {
const err14 = {instancePath:instancePath+"/allowed_targets/" + i4,keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
let i5 = data6.length;
let j2;
if(i5 > 1){
const indices2 = {};
for(;i5--;){
let item2 = data6[i5];
if(typeof item2 !== "string"){
continue;
}
if(typeof indices2[item2] == "number"){
j2 = indices2[item2];
const err15 = {instancePath:instancePath+"/allowed_targets",keyword:"uniqueItems",params:{i: i5, j: j2}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
break;
}
indices2[item2] = i5;
}
}
}
}
if(data.monetary_actions !== undefined){
let data8 = data.monetary_actions;
if((!(Array.isArray(data8))) && (data8 !== null)){
const err16 = {instancePath:instancePath+"/monetary_actions",keyword:"type",params:{type: schema18.properties.monetary_actions.type}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
if(Array.isArray(data8)){
if(data8.length > 256){
const err17 = {instancePath:instancePath+"/monetary_actions",keyword:"maxItems",params:{limit: 256}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
const len3 = data8.length;
for(let i6=0; i6<len3; i6++){
if(typeof data8[i6] !== "string"){
const err18 = {instancePath:instancePath+"/monetary_actions/" + i6,keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
let i7 = data8.length;
let j3;
if(i7 > 1){
const indices3 = {};
for(;i7--;){
let item3 = data8[i7];
if(typeof item3 !== "string"){
continue;
}
if(typeof indices3[item3] == "number"){
j3 = indices3[item3];
const err19 = {instancePath:instancePath+"/monetary_actions",keyword:"uniqueItems",params:{i: i7, j: j3}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
break;
}
indices3[item3] = i7;
}
}
}
}
if(data.not_before !== undefined){
let data10 = data.not_before;
if((typeof data10 !== "string") && (data10 !== null)){
const err20 = {instancePath:instancePath+"/not_before",keyword:"type",params:{type: schema18.properties.not_before.type}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
if(typeof data10 === "string"){
if(data10.length > 64){
const err21 = {instancePath:instancePath+"/not_before",keyword:"maxLength",params:{limit: 64}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
}
if(data.expires_at !== undefined){
let data11 = data.expires_at;
if((typeof data11 !== "string") && (data11 !== null)){
const err22 = {instancePath:instancePath+"/expires_at",keyword:"type",params:{type: schema18.properties.expires_at.type}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
if(typeof data11 === "string"){
if(data11.length > 64){
const err23 = {instancePath:instancePath+"/expires_at",keyword:"maxLength",params:{limit: 64}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
}
if(data.description !== undefined){
let data12 = data.description;
if((typeof data12 !== "string") && (data12 !== null)){
const err24 = {instancePath:instancePath+"/description",keyword:"type",params:{type: schema18.properties.description.type}};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
if(typeof data12 === "string"){
if(data12.length > 500){
const err25 = {instancePath:instancePath+"/description",keyword:"maxLength",params:{limit: 500}};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
}
if(data.metadata !== undefined){
let data13 = data.metadata;
if((!(data13 && typeof data13 == "object" && !Array.isArray(data13))) && (data13 !== null)){
const err26 = {instancePath:instancePath+"/metadata",keyword:"type",params:{type: schema18.properties.metadata.type}};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
if(data13 && typeof data13 == "object" && !Array.isArray(data13)){
for(const key1 in data13){
let data14 = data13[key1];
if((typeof data14 !== "string") && (data14 !== null)){
const err27 = {instancePath:instancePath+"/metadata/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),keyword:"type",params:{type: schema18.properties.metadata.additionalProperties.type}};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
if(typeof data14 === "string"){
if(data14.length > 500){
const err28 = {instancePath:instancePath+"/metadata/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),keyword:"maxLength",params:{limit: 500}};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
}
}
}
}
else {
const err29 = {instancePath,keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
validate17.errors = vErrors;
return errors === 0;
}

const Intent: Validator = validate18;
const schema19 = {"type":"object","description":"What an agent is about to do.","properties":{"agent_id":{"type":"string","minLength":1,"maxLength":512},"action":{"type":"string","minLength":1,"maxLength":256,"examples":["payments.create"]},"target":{"type":"string","maxLength":512,"description":"The DID the action is aimed at."},"parameters":{"type":"object"},"dry_run":{"type":"boolean","description":"Ask without acting."}},"required":["agent_id","action"],"additionalProperties":false};

function validate18(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.agent_id === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "agent_id"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.action === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "action"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data){
if(!(((((key0 === "agent_id") || (key0 === "action")) || (key0 === "target")) || (key0 === "parameters")) || (key0 === "dry_run"))){
const err2 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.agent_id !== undefined){
let data0 = data.agent_id;
if(typeof data0 === "string"){
if(data0.length > 512){
const err3 = {instancePath:instancePath+"/agent_id",keyword:"maxLength",params:{limit: 512}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data0.length < 1){
const err4 = {instancePath:instancePath+"/agent_id",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
else {
const err5 = {instancePath:instancePath+"/agent_id",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.action !== undefined){
let data1 = data.action;
if(typeof data1 === "string"){
if(data1.length > 256){
const err6 = {instancePath:instancePath+"/action",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(data1.length < 1){
const err7 = {instancePath:instancePath+"/action",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
else {
const err8 = {instancePath:instancePath+"/action",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.target !== undefined){
let data2 = data.target;
if(typeof data2 === "string"){
if(data2.length > 512){
const err9 = {instancePath:instancePath+"/target",keyword:"maxLength",params:{limit: 512}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
else {
const err10 = {instancePath:instancePath+"/target",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.parameters !== undefined){
let data3 = data.parameters;
if(!(data3 && typeof data3 == "object" && !Array.isArray(data3))){
const err11 = {instancePath:instancePath+"/parameters",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.dry_run !== undefined){
if(typeof data.dry_run !== "boolean"){
const err12 = {instancePath:instancePath+"/dry_run",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
else {
const err13 = {instancePath,keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
validate18.errors = vErrors;
return errors === 0;
}

const IntentBatch: Validator = validate19;
const schema20 = {"type":"object","description":"One to a hundred intents, answered in their order.","properties":{"intents":{"type":"array","items":{"$ref":"Intent"},"minItems":1,"maxItems":100}},"required":["intents"],"additionalProperties":false};

function validate19(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.intents === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "intents"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 in data){
if(!(key0 === "intents")){
const err1 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.intents !== undefined){
let data0 = data.intents;
if(Array.isArray(data0)){
if(data0.length > 100){
const err2 = {instancePath:instancePath+"/intents",keyword:"maxItems",params:{limit: 100}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data0.length < 1){
const err3 = {instancePath:instancePath+"/intents",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
let data1 = data0[i0];
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(data1.agent_id === undefined){
const err4 = {instancePath:instancePath+"/intents/" + i0,keyword:"required",params:{missingProperty: "agent_id"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data1.action === undefined){
const err5 = {instancePath:instancePath+"/intents/" + i0,keyword:"required",params:{missingProperty: "action"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
for(const key1 in data1){
if(!(((((key1 === "agent_id") || (key1 === "action")) || (key1 === "target")) || (key1 === "parameters")) || (key1 === "dry_run"))){
const err6 = {instancePath:instancePath+"/intents/" + i0,keyword:"additionalProperties",params:{additionalProperty: key1}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data1.agent_id !== undefined){
let data2 = data1.agent_id;
if(typeof data2 === "string"){
if(data2.length > 512){
const err7 = {instancePath:instancePath+"/intents/" + i0+"/agent_id",keyword:"maxLength",params:{limit: 512}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(data2.length < 1){
const err8 = {instancePath:instancePath+"/intents/" + i0+"/agent_id",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
else {
const err9 = {instancePath:instancePath+"/intents/" + i0+"/agent_id",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data1.action !== undefined){
let data3 = data1.action;
if(typeof data3 === "string"){
if(data3.length > 256){
const err10 = {instancePath:instancePath+"/intents/" + i0+"/action",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if(data3.length < 1){
const err11 = {instancePath:instancePath+"/intents/" + i0+"/action",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
else {
const err12 = {instancePath:instancePath+"/intents/" + i0+"/action",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data1.target !== undefined){
let data4 = data1.target;
if(typeof data4 === "string"){
if(data4.length > 512){
const err13 = {instancePath:instancePath+"/intents/" + i0+"/target",keyword:"maxLength",params:{limit: 512}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
else {
const err14 = {instancePath:instancePath+"/intents/" + i0+"/target",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data1.parameters !== undefined){
let data5 = data1.parameters;
if(!(data5 && typeof data5 == "object" && !Array.isArray(data5))){
const err15 = {instancePath:instancePath+"/intents/" + i0+"/parameters",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data1.dry_run !== undefined){
if(typeof data1.dry_run !== "boolean"){
const err16 = {instancePath:instancePath+"/intents/" + i0+"/dry_run",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
}
else {
const err17 = {instancePath:instancePath+"/intents/" + i0,keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
}
else {
const err18 = {instancePath:instancePath+"/intents",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
}
else {
const err19 = {instancePath,keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
validate19.errors = vErrors;
return errors === 0;
}

const RevokeRequest: Validator = validate20;
const schema22 = {"type":"object","description":"The passport to revoke, permanently.","properties":{"agent_id":{"type":"string","minLength":1,"maxLength":512,"description":"did:web:<domain>:agents:<agent_name>","examples":["did:web:example.com:agents:shopper"]},"reason":{"type":"string","minLength":1,"maxLength":500}},"required":["agent_id"],"additionalProperties":false};

function validate20(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.agent_id === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "agent_id"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 in data){
if(!((key0 === "agent_id") || (key0 === "reason"))){
const err1 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.agent_id !== undefined){
let data0 = data.agent_id;
if(typeof data0 === "string"){
if(data0.length > 512){
const err2 = {instancePath:instancePath+"/agent_id",keyword:"maxLength",params:{limit: 512}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data0.length < 1){
const err3 = {instancePath:instancePath+"/agent_id",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
else {
const err4 = {instancePath:instancePath+"/agent_id",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.reason !== undefined){
let data1 = data.reason;
if(typeof data1 === "string"){
if(data1.length > 500){
const err5 = {instancePath:instancePath+"/reason",keyword:"maxLength",params:{limit: 500}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data1.length < 1){
const err6 = {instancePath:instancePath+"/reason",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/reason",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
else {
const err8 = {instancePath,keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
validate20.errors = vErrors;
return errors === 0;
}

const SuspendRequest: Validator = validate21;
const schema23 = {"type":"object","description":"The passport to suspend, until an instant in the future or until it is reinstated.","properties":{"agent_id":{"type":"string","minLength":1,"maxLength":512,"description":"did:web:<domain>:agents:<agent_name>","examples":["did:web:example.com:agents:shopper"]},"reason":{"type":"string","minLength":1,"maxLength":500},"until":{"type":"string","maxLength":64,"description":"RFC 3339 instant; any offset in, UTC with milliseconds and Z out.","examples":["2026-11-20T12:00:00.000Z"]}},"required":["agent_id"],"additionalProperties":false};

function validate21(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.agent_id === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "agent_id"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 in data){
if(!(((key0 === "agent_id") || (key0 === "reason")) || (key0 === "until"))){
const err1 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.agent_id !== undefined){
let data0 = data.agent_id;
if(typeof data0 === "string"){
if(data0.length > 512){
const err2 = {instancePath:instancePath+"/agent_id",keyword:"maxLength",params:{limit: 512}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data0.length < 1){
const err3 = {instancePath:instancePath+"/agent_id",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
else {
const err4 = {instancePath:instancePath+"/agent_id",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.reason !== undefined){
let data1 = data.reason;
if(typeof data1 === "string"){
if(data1.length > 500){
const err5 = {instancePath:instancePath+"/reason",keyword:"maxLength",params:{limit: 500}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data1.length < 1){
const err6 = {instancePath:instancePath+"/reason",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/reason",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.until !== undefined){
let data2 = data.until;
if(typeof data2 === "string"){
if(data2.length > 64){
const err8 = {instancePath:instancePath+"/until",keyword:"maxLength",params:{limit: 64}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
else {
const err9 = {instancePath:instancePath+"/until",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
else {
const err10 = {instancePath,keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
validate21.errors = vErrors;
return errors === 0;
}

const ReinstateRequest: Validator = validate22;
const schema24 = {"type":"object","description":"The suspended passport to reinstate.","properties":{"agent_id":{"type":"string","minLength":1,"maxLength":512,"description":"did:web:<domain>:agents:<agent_name>","examples":["did:web:example.com:agents:shopper"]}},"required":["agent_id"],"additionalProperties":false};

function validate22(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.agent_id === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "agent_id"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 in data){
if(!(key0 === "agent_id")){
const err1 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.agent_id !== undefined){
let data0 = data.agent_id;
if(typeof data0 === "string"){
if(data0.length > 512){
const err2 = {instancePath:instancePath+"/agent_id",keyword:"maxLength",params:{limit: 512}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data0.length < 1){
const err3 = {instancePath:instancePath+"/agent_id",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
else {
const err4 = {instancePath:instancePath+"/agent_id",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
}
else {
const err5 = {instancePath,keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
validate22.errors = vErrors;
return errors === 0;
}

export const validators: Readonly<Record<RequestName, Validator>> = { LoginRequest, RegisterRequest, KeyRequest, KeyPatch, KeyRotation, PasswordChange, PassportRequest, PassportPatch, Intent, IntentBatch, RevokeRequest, SuspendRequest, ReinstateRequest };

/** The fields of each request. */
export const fieldNames: Readonly<Record<RequestName, readonly string[]>> = {"LoginRequest":["email","password"],"RegisterRequest":["email","password"],"KeyRequest":["name","environment","scopes","agent_ids","expires_at"],"KeyPatch":["name","scopes","agent_ids"],"KeyRotation":["grace_seconds"],"PasswordChange":["current_password","new_password"],"PassportRequest":["domain","agent_name","allowed_actions","monetary_limit_per_txn","denied_actions","currency","allowed_targets","monetary_actions","not_before","expires_at","description","metadata"],"PassportPatch":["allowed_actions","monetary_limit_per_txn","denied_actions","currency","allowed_targets","monetary_actions","not_before","expires_at","description","metadata"],"Intent":["agent_id","action","target","parameters","dry_run"],"IntentBatch":["intents"],"RevokeRequest":["agent_id","reason"],"SuspendRequest":["agent_id","reason","until"],"ReinstateRequest":["agent_id"]};

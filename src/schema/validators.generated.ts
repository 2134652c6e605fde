// @ts-nocheck
// Generated from requests.ts by `npm run build`. Do not edit it.
import type { Validator } from './validator.ts';
import type { RequestName } from './requests.ts';
const MemberRequest: Validator = validate10;
const schema11 = {"type":"object","description":"The person to invite.","properties":{"role":{"type":"string","enum":["viewer","approver","editor","admin","owner"]},"email":{"type":"string","minLength":3,"maxLength":254},"name":{"type":"string","minLength":1,"maxLength":100}},"required":["role"],"additionalProperties":false};

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.role === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "role"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 in data){
if(!(((key0 === "role") || (key0 === "email")) || (key0 === "name"))){
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
if(data.role !== undefined){
let data0 = data.role;
if(typeof data0 !== "string"){
const err2 = {instancePath:instancePath+"/role",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(!(((((data0 === "viewer") || (data0 === "approver")) || (data0 === "editor")) || (data0 === "admin")) || (data0 === "owner"))){
const err3 = {instancePath:instancePath+"/role",keyword:"enum",params:{allowedValues: schema11.properties.role.enum}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.email !== undefined){
let data1 = data.email;
if(typeof data1 === "string"){
if(data1.length > 254){
const err4 = {instancePath:instancePath+"/email",keyword:"maxLength",params:{limit: 254}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data1.length < 3){
const err5 = {instancePath:instancePath+"/email",keyword:"minLength",params:{limit: 3}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
else {
const err6 = {instancePath:instancePath+"/email",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.name !== undefined){
let data2 = data.name;
if(typeof data2 === "string"){
if(data2.length > 100){
const err7 = {instancePath:instancePath+"/name",keyword:"maxLength",params:{limit: 100}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(data2.length < 1){
const err8 = {instancePath:instancePath+"/name",keyword:"minLength",params:{limit: 1}};
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
const err9 = {instancePath:instancePath+"/name",keyword:"type",params:{type: "string"}};
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
validate10.errors = vErrors;
return errors === 0;
}

const MemberPatch: Validator = validate11;
const schema12 = {"type":"object","description":"What to change of a member.","properties":{"role":{"type":"string","enum":["viewer","approver","editor","admin","owner"]},"name":{"type":"string","minLength":1,"maxLength":100}},"required":[],"additionalProperties":false};

function validate11(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!((key0 === "role") || (key0 === "name"))){
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
if(data.role !== undefined){
let data0 = data.role;
if(typeof data0 !== "string"){
const err1 = {instancePath:instancePath+"/role",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(!(((((data0 === "viewer") || (data0 === "approver")) || (data0 === "editor")) || (data0 === "admin")) || (data0 === "owner"))){
const err2 = {instancePath:instancePath+"/role",keyword:"enum",params:{allowedValues: schema12.properties.role.enum}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.name !== undefined){
let data1 = data.name;
if(typeof data1 === "string"){
if(data1.length > 100){
const err3 = {instancePath:instancePath+"/name",keyword:"maxLength",params:{limit: 100}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data1.length < 1){
const err4 = {instancePath:instancePath+"/name",keyword:"minLength",params:{limit: 1}};
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
const err5 = {instancePath:instancePath+"/name",keyword:"type",params:{type: "string"}};
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
validate11.errors = vErrors;
return errors === 0;
}

const LinkRequest: Validator = validate12;
const schema13 = {"type":"object","description":"The token of a link.","properties":{"token":{"type":"string","maxLength":128,"description":"ais_link_ and 49 characters."}},"required":["token"],"additionalProperties":false};

function validate12(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.token === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "token"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 in data){
if(!(key0 === "token")){
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
if(data.token !== undefined){
let data0 = data.token;
if(typeof data0 === "string"){
if(data0.length > 128){
const err2 = {instancePath:instancePath+"/token",keyword:"maxLength",params:{limit: 128}};
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
const err3 = {instancePath:instancePath+"/token",keyword:"type",params:{type: "string"}};
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
validate12.errors = vErrors;
return errors === 0;
}

const AcceptRequest: Validator = validate13;
const schema14 = {"type":"object","description":"How the holder of a link signs in from now on; the e-mail where the link names none.","properties":{"token":{"type":"string","maxLength":128,"description":"ais_link_ and 49 characters."},"email":{"type":"string","minLength":3,"maxLength":254},"password":{"type":"string","description":"12 to 128 characters, any Unicode."}},"required":["token","password"],"additionalProperties":false};

function validate13(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.token === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "token"}};
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
if(!(((key0 === "token") || (key0 === "email")) || (key0 === "password"))){
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
if(data.token !== undefined){
let data0 = data.token;
if(typeof data0 === "string"){
if(data0.length > 128){
const err3 = {instancePath:instancePath+"/token",keyword:"maxLength",params:{limit: 128}};
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
const err4 = {instancePath:instancePath+"/token",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.email !== undefined){
let data1 = data.email;
if(typeof data1 === "string"){
if(data1.length > 254){
const err5 = {instancePath:instancePath+"/email",keyword:"maxLength",params:{limit: 254}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data1.length < 3){
const err6 = {instancePath:instancePath+"/email",keyword:"minLength",params:{limit: 3}};
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
const err7 = {instancePath:instancePath+"/email",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.password !== undefined){
if(typeof data.password !== "string"){
const err8 = {instancePath:instancePath+"/password",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
else {
const err9 = {instancePath,keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
validate13.errors = vErrors;
return errors === 0;
}

const OidcFinishRequest: Validator = validate14;
const schema15 = {"type":"object","description":"The end of a sign-in with an issuer; with the token of a link the person becomes the login of its member.","properties":{"transaction":{"type":"string","description":"As POST /auth/oidc/start gave it."},"response":{"type":"string","description":"The query string with which the browser came back, at most 8 KiB."},"link":{"type":"string","maxLength":128,"description":"ais_link_ and 49 characters."}},"required":["transaction","response"],"additionalProperties":false};

function validate14(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.transaction === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "transaction"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.response === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "response"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data){
if(!(((key0 === "transaction") || (key0 === "response")) || (key0 === "link"))){
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
if(data.transaction !== undefined){
if(typeof data.transaction !== "string"){
const err3 = {instancePath:instancePath+"/transaction",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.response !== undefined){
if(typeof data.response !== "string"){
const err4 = {instancePath:instancePath+"/response",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.link !== undefined){
let data2 = data.link;
if(typeof data2 === "string"){
if(data2.length > 128){
const err5 = {instancePath:instancePath+"/link",keyword:"maxLength",params:{limit: 128}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
else {
const err6 = {instancePath:instancePath+"/link",keyword:"type",params:{type: "string"}};
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
validate14.errors = vErrors;
return errors === 0;
}

const LoginRequest: Validator = validate15;
const schema16 = {"type":"object","description":"Who signs in.","properties":{"email":{"type":"string","maxLength":1024},"password":{"type":"string"}},"required":["email","password"],"additionalProperties":false};

function validate15(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
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
validate15.errors = vErrors;
return errors === 0;
}

const RegisterRequest: Validator = validate16;
const schema17 = {"type":"object","description":"The account to open.","properties":{"email":{"type":"string","minLength":3,"maxLength":254},"password":{"type":"string","description":"12 to 128 characters, any Unicode."}},"required":["email","password"],"additionalProperties":false};

function validate16(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
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
validate16.errors = vErrors;
return errors === 0;
}

const LogoutRequest: Validator = validate17;
const schema18 = {"type":"object","description":"Which sessions to end.","properties":{"everywhere":{"type":"boolean","description":"Whether every access token of the account ends; by default only this one."}},"required":[],"additionalProperties":false};

function validate17(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!(key0 === "everywhere")){
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
if(data.everywhere !== undefined){
if(typeof data.everywhere !== "boolean"){
const err1 = {instancePath:instancePath+"/everywhere",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
else {
const err2 = {instancePath,keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate17.errors = vErrors;
return errors === 0;
}

const KeyRequest: Validator = validate18;
const schema19 = {"type":"object","description":"The key to make. Scopes default to verify and revoke; a test key may only verify, read events, decide and ask for permits. A management key has no environment and needs expires_at.","properties":{"name":{"type":"string","minLength":1,"maxLength":100},"environment":{"type":"string","enum":["live","test"]},"scopes":{"type":"array","items":{"type":"string","enum":["verify","revoke","reinstate","refund","events","sign","decide","permit","passports:read","passports:propose","passports:write","keys:read","keys:write","approvals:read","verifications:read","audit:read","analytics:read","webhooks:read","webhooks:write"]},"minItems":1,"uniqueItems":true,"description":"The rights of the API key."},"agent_ids":{"type":"array","items":{"type":"string","minLength":1,"maxLength":512,"description":"did:web:<domain>:agents:<agent_name>","examples":["did:web:example.com:agents:shopper"]},"minItems":1,"maxItems":100,"uniqueItems":true,"description":"The only agents this key may ask about. Any other agent is agent_not_found."},"domains":{"type":"array","items":{"type":"string","minLength":1,"maxLength":500},"minItems":1,"maxItems":20,"uniqueItems":true,"description":"The domains to whose agents a management key is bound."},"expires_at":{"type":"string","maxLength":64,"description":"RFC 3339 instant; any offset in, UTC with milliseconds and Z out. A leap second (:60) is refused.","examples":["2026-11-20T12:00:00.000Z"]}},"required":["name"],"additionalProperties":false};

function validate18(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
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
if(!((((((key0 === "name") || (key0 === "environment")) || (key0 === "scopes")) || (key0 === "agent_ids")) || (key0 === "domains")) || (key0 === "expires_at"))){
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
const err6 = {instancePath:instancePath+"/environment",keyword:"enum",params:{allowedValues: schema19.properties.environment.enum}};
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
if(!(((((((((((((((((((data3 === "verify") || (data3 === "revoke")) || (data3 === "reinstate")) || (data3 === "refund")) || (data3 === "events")) || (data3 === "sign")) || (data3 === "decide")) || (data3 === "permit")) || (data3 === "passports:read")) || (data3 === "passports:propose")) || (data3 === "passports:write")) || (data3 === "keys:read")) || (data3 === "keys:write")) || (data3 === "approvals:read")) || (data3 === "verifications:read")) || (data3 === "audit:read")) || (data3 === "analytics:read")) || (data3 === "webhooks:read")) || (data3 === "webhooks:write"))){
const err9 = {instancePath:instancePath+"/scopes/" + i0,keyword:"enum",params:{allowedValues: schema19.properties.scopes.items.enum}};
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
if(data.domains !== undefined){
let data6 = data.domains;
if(Array.isArray(data6)){
if(data6.length > 20){
const err19 = {instancePath:instancePath+"/domains",keyword:"maxItems",params:{limit: 20}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
if(data6.length < 1){
const err20 = {instancePath:instancePath+"/domains",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
const len2 = data6.length;
for(let i4=0; i4<len2; i4++){
let data7 = data6[i4];
if(typeof data7 === "string"){
if(data7.length > 500){
const err21 = {instancePath:instancePath+"/domains/" + i4,keyword:"maxLength",params:{limit: 500}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
if(data7.length < 1){
const err22 = {instancePath:instancePath+"/domains/" + i4,keyword:"minLength",params:{limit: 1}};
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
const err23 = {instancePath:instancePath+"/domains/" + i4,keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
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
const err24 = {instancePath:instancePath+"/domains",keyword:"uniqueItems",params:{i: i5, j: j2}};
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
const err25 = {instancePath:instancePath+"/domains",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
if(data.expires_at !== undefined){
let data8 = data.expires_at;
if(typeof data8 === "string"){
if(data8.length > 64){
const err26 = {instancePath:instancePath+"/expires_at",keyword:"maxLength",params:{limit: 64}};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
else {
const err27 = {instancePath:instancePath+"/expires_at",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
}
else {
const err28 = {instancePath,keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
validate18.errors = vErrors;
return errors === 0;
}

const KeyPatch: Validator = validate19;
const schema20 = {"type":"object","description":"What to change of a key. agent_ids null: every agent of the account. Only management keys have domains.","properties":{"name":{"type":"string","minLength":1,"maxLength":100},"scopes":{"type":"array","items":{"type":"string","enum":["verify","revoke","reinstate","refund","events","sign","decide","permit","passports:read","passports:propose","passports:write","keys:read","keys:write","approvals:read","verifications:read","audit:read","analytics:read","webhooks:read","webhooks:write"]},"minItems":1,"uniqueItems":true,"description":"The rights of the API key."},"agent_ids":{"type":["array","null"],"items":{"type":"string","minLength":1,"maxLength":512,"description":"did:web:<domain>:agents:<agent_name>","examples":["did:web:example.com:agents:shopper"]},"minItems":1,"maxItems":100,"uniqueItems":true,"description":"The only agents this key may ask about. Any other agent is agent_not_found."},"domains":{"type":["array","null"],"items":{"type":"string","minLength":1,"maxLength":500},"minItems":1,"maxItems":20,"uniqueItems":true,"description":"The domains to whose agents a management key is bound."}},"required":[],"additionalProperties":false};

function validate19(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!((((key0 === "name") || (key0 === "scopes")) || (key0 === "agent_ids")) || (key0 === "domains"))){
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
if(!(((((((((((((((((((data2 === "verify") || (data2 === "revoke")) || (data2 === "reinstate")) || (data2 === "refund")) || (data2 === "events")) || (data2 === "sign")) || (data2 === "decide")) || (data2 === "permit")) || (data2 === "passports:read")) || (data2 === "passports:propose")) || (data2 === "passports:write")) || (data2 === "keys:read")) || (data2 === "keys:write")) || (data2 === "approvals:read")) || (data2 === "verifications:read")) || (data2 === "audit:read")) || (data2 === "analytics:read")) || (data2 === "webhooks:read")) || (data2 === "webhooks:write"))){
const err6 = {instancePath:instancePath+"/scopes/" + i0,keyword:"enum",params:{allowedValues: schema20.properties.scopes.items.enum}};
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
const err9 = {instancePath:instancePath+"/agent_ids",keyword:"type",params:{type: schema20.properties.agent_ids.type}};
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
if(data.domains !== undefined){
let data5 = data.domains;
if((!(Array.isArray(data5))) && (data5 !== null)){
const err16 = {instancePath:instancePath+"/domains",keyword:"type",params:{type: schema20.properties.domains.type}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
if(Array.isArray(data5)){
if(data5.length > 20){
const err17 = {instancePath:instancePath+"/domains",keyword:"maxItems",params:{limit: 20}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
if(data5.length < 1){
const err18 = {instancePath:instancePath+"/domains",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
const len2 = data5.length;
for(let i4=0; i4<len2; i4++){
let data6 = data5[i4];
if(typeof data6 === "string"){
if(data6.length > 500){
const err19 = {instancePath:instancePath+"/domains/" + i4,keyword:"maxLength",params:{limit: 500}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
if(data6.length < 1){
const err20 = {instancePath:instancePath+"/domains/" + i4,keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
else {
const err21 = {instancePath:instancePath+"/domains/" + i4,keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
let i5 = data5.length;
let j2;
if(i5 > 1){
const indices2 = {};
for(;i5--;){
let item2 = data5[i5];
if(typeof item2 !== "string"){
continue;
}
if(typeof indices2[item2] == "number"){
j2 = indices2[item2];
const err22 = {instancePath:instancePath+"/domains",keyword:"uniqueItems",params:{i: i5, j: j2}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
break;
}
indices2[item2] = i5;
}
}
}
}
}
else {
const err23 = {instancePath,keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
validate19.errors = vErrors;
return errors === 0;
}

const KeyRotation: Validator = validate20;
const schema21 = {"type":"object","description":"How long the replaced key goes on working. Only a management key gets a new end.","properties":{"grace_seconds":{"type":"integer","minimum":0,"maximum":604800,"description":"Seconds the old key goes on working, never past its own expiry; by default it ends at once."},"expires_at":{"type":"string","maxLength":64,"description":"RFC 3339 instant; any offset in, UTC with milliseconds and Z out. A leap second (:60) is refused.","examples":["2026-11-20T12:00:00.000Z"]}},"required":[],"additionalProperties":false};

function validate20(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!((key0 === "grace_seconds") || (key0 === "expires_at"))){
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
if(data.expires_at !== undefined){
let data1 = data.expires_at;
if(typeof data1 === "string"){
if(data1.length > 64){
const err4 = {instancePath:instancePath+"/expires_at",keyword:"maxLength",params:{limit: 64}};
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
const err5 = {instancePath:instancePath+"/expires_at",keyword:"type",params:{type: "string"}};
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
validate20.errors = vErrors;
return errors === 0;
}

const PasswordChange: Validator = validate21;
const schema22 = {"type":"object","description":"The password as it is and as it is to be.","properties":{"current_password":{"type":"string"},"new_password":{"type":"string","description":"12 to 128 characters, any Unicode."}},"required":["current_password","new_password"],"additionalProperties":false};

function validate21(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
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
validate21.errors = vErrors;
return errors === 0;
}

const AccountDeletion: Validator = validate22;
const schema23 = {"type":"object","description":"The password as it is.","properties":{"current_password":{"type":"string"}},"required":["current_password"],"additionalProperties":false};

function validate22(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
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
for(const key0 in data){
if(!(key0 === "current_password")){
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
if(data.current_password !== undefined){
if(typeof data.current_password !== "string"){
const err2 = {instancePath:instancePath+"/current_password",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
}
else {
const err3 = {instancePath,keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
validate22.errors = vErrors;
return errors === 0;
}

const PassportRequest: Validator = validate23;
const schema24 = {"type":"object","description":"The passport to issue.","properties":{"domain":{"type":"string","minLength":1,"maxLength":512,"description":"Lower-case ASCII domain of at least two labels, an optional port as %3A and number. Never mapped, trimmed or lower-cased.","examples":["example.com"]},"agent_name":{"type":"string","minLength":1,"maxLength":63,"description":"[a-z0-9][a-z0-9._-]{0,62}, not ending in a dot.","examples":["shopper"]},"allowed_actions":{"type":"array","items":{"type":"string"},"maxItems":256,"uniqueItems":true,"description":"Actions, compared exactly, or patterns that end in .* or :*, or * alone for every action of the grammar [A-Za-z0-9][A-Za-z0-9._:/-]{0,127}.","examples":[["payments.create","orders.*"]]},"monetary_limit_per_txn":{"type":["number","string"],"description":"Exact decimal, 0 to 10^15, at most 6 decimals (at most those of the currency). Send as a string what a JSON number cannot hold exactly.","examples":[100,"19.99"]},"parent_agent_id":{"type":"string","minLength":1,"maxLength":512,"description":"The agent that it helps: it may do only what its parent may do as well. A passport of the same account that is not revoked, with at most 3 above it. Never changes.","examples":["did:web:example.com:agents:shopper"]},"denied_actions":{"type":"array","items":{"type":"string"},"maxItems":256,"uniqueItems":true,"description":"Actions, compared exactly, or patterns that end in .* or :*, or * alone for every action of the grammar [A-Za-z0-9][A-Za-z0-9._:/-]{0,127}.","examples":[["payments.create","orders.*"]]},"currency":{"type":"string","description":"ISO 4217 code in upper case.","examples":["EUR"]},"allowed_targets":{"type":"array","items":{"type":"string","maxLength":512},"maxItems":256,"uniqueItems":true,"description":"DIDs, exact, or did:web:*.example.com for every sub-domain. Absent: any target.","examples":[["did:web:shop.example.com","did:web:*.suppliers.example"]]},"monetary_actions":{"type":"array","items":{"type":"string"},"maxItems":256,"uniqueItems":true,"description":"Actions, compared exactly, or patterns that end in .* or :*, or * alone for every action of the grammar [A-Za-z0-9][A-Za-z0-9._:/-]{0,127}.","examples":[["payments.create","orders.*"]]},"budgets":{"type":"array","items":{"type":"object","description":"Either limit or count: what an agent may use in a window of time.","properties":{"name":{"type":"string","description":"[a-z][a-z0-9_-]{0,31}, unique in the passport. By default the name of the window."},"window":{"type":"string","enum":["hour","day","week","month","year","lifetime","rolling_hour","rolling_day","rolling_week","rolling_month"],"description":"In UTC; a week begins on Monday. A rolling window is the time before each intent."},"limit":{"type":["number","string"],"description":"In the currency of the passport; at most 2^53 - 1 of its minor units.","examples":[100,"19.99"]},"count":{"type":"integer","minimum":1,"maximum":1000000000,"description":"Allowed intents."},"actions":{"type":"array","items":{"type":"string"},"maxItems":256,"uniqueItems":true,"description":"What it counts. Absent: every action.","examples":[["payments.create","orders.*"]],"minItems":1}},"required":["window"],"additionalProperties":false},"maxItems":8,"description":"How much money the allowed intents may move together, or how many there may be.","examples":[[{"window":"day","limit":500}]]},"approval":{"type":"object","description":"People must approve this: above, actions or changes.","properties":{"above":{"type":["number","string"],"description":"Intents that move more than this, in the currency of the passport.","examples":[100,"19.99"]},"actions":{"type":"array","items":{"type":"string"},"maxItems":256,"uniqueItems":true,"description":"Intents with one of these actions.","examples":[["payments.create","orders.*"]],"minItems":1},"seconds":{"type":"integer","minimum":60,"maximum":604800,"description":"How long an approval may be given and used; 3600 by default."},"count":{"type":"integer","minimum":1,"maximum":3,"description":"The number of different people who must approve; 1 by default."},"by":{"type":"string","enum":["anyone","another"],"description":"Whose approvals count: those of anyone (default), or of another person than who asked and who last widened the passport."},"changes":{"type":"boolean","description":"Whether a change of this passport that lets more happen has to be approved as well."}},"required":[],"additionalProperties":false,"examples":[{"above":250}]},"conditions":{"type":"array","maxItems":16},"pace":{"type":"array","items":{"type":"object","description":"How fast an agent may be.","properties":{"name":{"type":"string","description":"[a-z][a-z0-9_-]{0,31}, unique in the passport. By default pace."},"actions":{"type":"array","items":{"type":"string"},"maxItems":256,"uniqueItems":true,"description":"What it counts. Absent: every action.","examples":[["payments.create","orders.*"]],"minItems":1},"max":{"type":"integer","minimum":1,"maximum":10000,"description":"Allowed intents in any such time."},"seconds":{"type":"integer","minimum":1,"maximum":604800,"description":"The length of the time."}},"required":["max","seconds"],"additionalProperties":false},"maxItems":4,"description":"How many intents are allowed in any time of a length.","examples":[[{"actions":["email.send"],"max":5,"seconds":60}]]},"not_before":{"type":"string","maxLength":64,"description":"RFC 3339 instant; any offset in, UTC with milliseconds and Z out. A leap second (:60) is refused.","examples":["2026-11-20T12:00:00.000Z"]},"expires_at":{"type":"string","maxLength":64,"description":"RFC 3339 instant; any offset in, UTC with milliseconds and Z out. A leap second (:60) is refused.","examples":["2026-11-20T12:00:00.000Z"]},"proof":{"type":"string","enum":["optional","identity","intent"],"description":"Whether the agent must prove with a key of its own that an intent comes from it (identity), or that it signed exactly this intent (intent). optional by default."},"description":{"type":"string","maxLength":500},"public_keys":{"type":"array","items":{"type":"object","description":"Public JWK of a key on Ed25519 or P-256. ext and key_ops are ignored; any other member is refused, and a private one with the code private_key.","properties":{"kty":{"type":"string","enum":["OKP","EC"]},"crv":{"type":"string","enum":["Ed25519","P-256"]},"x":{"type":"string","description":"32 bytes in base64url without padding."},"y":{"type":"string","description":"The same, for P-256 only."},"kid":{"type":"string","description":"If given, the RFC 7638 thumbprint of the key."},"alg":{"type":"string","enum":["EdDSA","Ed25519","ES256"]},"use":{"type":"string","enum":["sig"]}},"required":["kty","crv","x"]},"maxItems":4,"description":"Public keys of the agent. They are returned with kid and alg."},"metadata":{"type":"object","maxProperties":20,"additionalProperties":{"type":"string","maxLength":500},"description":"At most 20 string values of at most 500 characters."}},"required":["domain","agent_name","allowed_actions","monetary_limit_per_txn"],"additionalProperties":false};
const func2 = Object.prototype.hasOwnProperty;

function validate23(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
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
if(!(func2.call(schema24.properties, key0))){
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
const err15 = {instancePath:instancePath+"/monetary_limit_per_txn",keyword:"type",params:{type: schema24.properties.monetary_limit_per_txn.type}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data.parent_agent_id !== undefined){
let data5 = data.parent_agent_id;
if(typeof data5 === "string"){
if(data5.length > 512){
const err16 = {instancePath:instancePath+"/parent_agent_id",keyword:"maxLength",params:{limit: 512}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
if(data5.length < 1){
const err17 = {instancePath:instancePath+"/parent_agent_id",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
else {
const err18 = {instancePath:instancePath+"/parent_agent_id",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
if(data.denied_actions !== undefined){
let data6 = data.denied_actions;
if(Array.isArray(data6)){
if(data6.length > 256){
const err19 = {instancePath:instancePath+"/denied_actions",keyword:"maxItems",params:{limit: 256}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
const len1 = data6.length;
for(let i2=0; i2<len1; i2++){
if(typeof data6[i2] !== "string"){
const err20 = {instancePath:instancePath+"/denied_actions/" + i2,keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
let i3 = data6.length;
let j1;
if(i3 > 1){
const indices1 = {};
for(;i3--;){
let item1 = data6[i3];
if(typeof item1 !== "string"){
continue;
}
if(typeof indices1[item1] == "number"){
j1 = indices1[item1];
const err21 = {instancePath:instancePath+"/denied_actions",keyword:"uniqueItems",params:{i: i3, j: j1}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
break;
}
indices1[item1] = i3;
}
}
}
else {
const err22 = {instancePath:instancePath+"/denied_actions",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data.currency !== undefined){
if(typeof data.currency !== "string"){
const err23 = {instancePath:instancePath+"/currency",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
if(data.allowed_targets !== undefined){
let data9 = data.allowed_targets;
if(Array.isArray(data9)){
if(data9.length > 256){
const err24 = {instancePath:instancePath+"/allowed_targets",keyword:"maxItems",params:{limit: 256}};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
const len2 = data9.length;
for(let i4=0; i4<len2; i4++){
let data10 = data9[i4];
if(typeof data10 === "string"){
if(data10.length > 512){
const err25 = {instancePath:instancePath+"/allowed_targets/" + i4,keyword:"maxLength",params:{limit: 512}};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
else {
const err26 = {instancePath:instancePath+"/allowed_targets/" + i4,keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
let i5 = data9.length;
let j2;
if(i5 > 1){
const indices2 = {};
for(;i5--;){
let item2 = data9[i5];
if(typeof item2 !== "string"){
continue;
}
if(typeof indices2[item2] == "number"){
j2 = indices2[item2];
const err27 = {instancePath:instancePath+"/allowed_targets",keyword:"uniqueItems",params:{i: i5, j: j2}};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
break;
}
indices2[item2] = i5;
}
}
}
else {
const err28 = {instancePath:instancePath+"/allowed_targets",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
if(data.monetary_actions !== undefined){
let data11 = data.monetary_actions;
if(Array.isArray(data11)){
if(data11.length > 256){
const err29 = {instancePath:instancePath+"/monetary_actions",keyword:"maxItems",params:{limit: 256}};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
const len3 = data11.length;
for(let i6=0; i6<len3; i6++){
if(typeof data11[i6] !== "string"){
const err30 = {instancePath:instancePath+"/monetary_actions/" + i6,keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
let i7 = data11.length;
let j3;
if(i7 > 1){
const indices3 = {};
for(;i7--;){
let item3 = data11[i7];
if(typeof item3 !== "string"){
continue;
}
if(typeof indices3[item3] == "number"){
j3 = indices3[item3];
const err31 = {instancePath:instancePath+"/monetary_actions",keyword:"uniqueItems",params:{i: i7, j: j3}};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
break;
}
indices3[item3] = i7;
}
}
}
else {
const err32 = {instancePath:instancePath+"/monetary_actions",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
if(data.budgets !== undefined){
let data13 = data.budgets;
if(Array.isArray(data13)){
if(data13.length > 8){
const err33 = {instancePath:instancePath+"/budgets",keyword:"maxItems",params:{limit: 8}};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
const len4 = data13.length;
for(let i8=0; i8<len4; i8++){
let data14 = data13[i8];
if(data14 && typeof data14 == "object" && !Array.isArray(data14)){
if(data14.window === undefined){
const err34 = {instancePath:instancePath+"/budgets/" + i8,keyword:"required",params:{missingProperty: "window"}};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
for(const key1 in data14){
if(!(((((key1 === "name") || (key1 === "window")) || (key1 === "limit")) || (key1 === "count")) || (key1 === "actions"))){
const err35 = {instancePath:instancePath+"/budgets/" + i8,keyword:"additionalProperties",params:{additionalProperty: key1}};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
if(data14.name !== undefined){
if(typeof data14.name !== "string"){
const err36 = {instancePath:instancePath+"/budgets/" + i8+"/name",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
if(data14.window !== undefined){
let data16 = data14.window;
if(typeof data16 !== "string"){
const err37 = {instancePath:instancePath+"/budgets/" + i8+"/window",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
if(!((((((((((data16 === "hour") || (data16 === "day")) || (data16 === "week")) || (data16 === "month")) || (data16 === "year")) || (data16 === "lifetime")) || (data16 === "rolling_hour")) || (data16 === "rolling_day")) || (data16 === "rolling_week")) || (data16 === "rolling_month"))){
const err38 = {instancePath:instancePath+"/budgets/" + i8+"/window",keyword:"enum",params:{allowedValues: schema24.properties.budgets.items.properties.window.enum}};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
}
if(data14.limit !== undefined){
let data17 = data14.limit;
if((!((typeof data17 == "number") && (isFinite(data17)))) && (typeof data17 !== "string")){
const err39 = {instancePath:instancePath+"/budgets/" + i8+"/limit",keyword:"type",params:{type: schema24.properties.budgets.items.properties.limit.type}};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
}
if(data14.count !== undefined){
let data18 = data14.count;
if(!(((typeof data18 == "number") && (!(data18 % 1) && !isNaN(data18))) && (isFinite(data18)))){
const err40 = {instancePath:instancePath+"/budgets/" + i8+"/count",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
if((typeof data18 == "number") && (isFinite(data18))){
if(data18 > 1000000000 || isNaN(data18)){
const err41 = {instancePath:instancePath+"/budgets/" + i8+"/count",keyword:"maximum",params:{comparison: "<=", limit: 1000000000}};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
if(data18 < 1 || isNaN(data18)){
const err42 = {instancePath:instancePath+"/budgets/" + i8+"/count",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
}
}
if(data14.actions !== undefined){
let data19 = data14.actions;
if(Array.isArray(data19)){
if(data19.length > 256){
const err43 = {instancePath:instancePath+"/budgets/" + i8+"/actions",keyword:"maxItems",params:{limit: 256}};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
if(data19.length < 1){
const err44 = {instancePath:instancePath+"/budgets/" + i8+"/actions",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
const len5 = data19.length;
for(let i9=0; i9<len5; i9++){
if(typeof data19[i9] !== "string"){
const err45 = {instancePath:instancePath+"/budgets/" + i8+"/actions/" + i9,keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
}
let i10 = data19.length;
let j4;
if(i10 > 1){
const indices4 = {};
for(;i10--;){
let item4 = data19[i10];
if(typeof item4 !== "string"){
continue;
}
if(typeof indices4[item4] == "number"){
j4 = indices4[item4];
const err46 = {instancePath:instancePath+"/budgets/" + i8+"/actions",keyword:"uniqueItems",params:{i: i10, j: j4}};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
break;
}
indices4[item4] = i10;
}
}
}
else {
const err47 = {instancePath:instancePath+"/budgets/" + i8+"/actions",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
}
}
else {
const err48 = {instancePath:instancePath+"/budgets/" + i8,keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
}
}
else {
const err49 = {instancePath:instancePath+"/budgets",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
}
if(data.approval !== undefined){
let data21 = data.approval;
if(data21 && typeof data21 == "object" && !Array.isArray(data21)){
for(const key2 in data21){
if(!((((((key2 === "above") || (key2 === "actions")) || (key2 === "seconds")) || (key2 === "count")) || (key2 === "by")) || (key2 === "changes"))){
const err50 = {instancePath:instancePath+"/approval",keyword:"additionalProperties",params:{additionalProperty: key2}};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
}
if(data21.above !== undefined){
let data22 = data21.above;
if((!((typeof data22 == "number") && (isFinite(data22)))) && (typeof data22 !== "string")){
const err51 = {instancePath:instancePath+"/approval/above",keyword:"type",params:{type: schema24.properties.approval.properties.above.type}};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
}
if(data21.actions !== undefined){
let data23 = data21.actions;
if(Array.isArray(data23)){
if(data23.length > 256){
const err52 = {instancePath:instancePath+"/approval/actions",keyword:"maxItems",params:{limit: 256}};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
if(data23.length < 1){
const err53 = {instancePath:instancePath+"/approval/actions",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
const len6 = data23.length;
for(let i11=0; i11<len6; i11++){
if(typeof data23[i11] !== "string"){
const err54 = {instancePath:instancePath+"/approval/actions/" + i11,keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
}
}
let i12 = data23.length;
let j5;
if(i12 > 1){
const indices5 = {};
for(;i12--;){
let item5 = data23[i12];
if(typeof item5 !== "string"){
continue;
}
if(typeof indices5[item5] == "number"){
j5 = indices5[item5];
const err55 = {instancePath:instancePath+"/approval/actions",keyword:"uniqueItems",params:{i: i12, j: j5}};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
break;
}
indices5[item5] = i12;
}
}
}
else {
const err56 = {instancePath:instancePath+"/approval/actions",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
}
}
if(data21.seconds !== undefined){
let data25 = data21.seconds;
if(!(((typeof data25 == "number") && (!(data25 % 1) && !isNaN(data25))) && (isFinite(data25)))){
const err57 = {instancePath:instancePath+"/approval/seconds",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
if((typeof data25 == "number") && (isFinite(data25))){
if(data25 > 604800 || isNaN(data25)){
const err58 = {instancePath:instancePath+"/approval/seconds",keyword:"maximum",params:{comparison: "<=", limit: 604800}};
if(vErrors === null){
vErrors = [err58];
}
else {
vErrors.push(err58);
}
errors++;
}
if(data25 < 60 || isNaN(data25)){
const err59 = {instancePath:instancePath+"/approval/seconds",keyword:"minimum",params:{comparison: ">=", limit: 60}};
if(vErrors === null){
vErrors = [err59];
}
else {
vErrors.push(err59);
}
errors++;
}
}
}
if(data21.count !== undefined){
let data26 = data21.count;
if(!(((typeof data26 == "number") && (!(data26 % 1) && !isNaN(data26))) && (isFinite(data26)))){
const err60 = {instancePath:instancePath+"/approval/count",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err60];
}
else {
vErrors.push(err60);
}
errors++;
}
if((typeof data26 == "number") && (isFinite(data26))){
if(data26 > 3 || isNaN(data26)){
const err61 = {instancePath:instancePath+"/approval/count",keyword:"maximum",params:{comparison: "<=", limit: 3}};
if(vErrors === null){
vErrors = [err61];
}
else {
vErrors.push(err61);
}
errors++;
}
if(data26 < 1 || isNaN(data26)){
const err62 = {instancePath:instancePath+"/approval/count",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err62];
}
else {
vErrors.push(err62);
}
errors++;
}
}
}
if(data21.by !== undefined){
let data27 = data21.by;
if(typeof data27 !== "string"){
const err63 = {instancePath:instancePath+"/approval/by",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err63];
}
else {
vErrors.push(err63);
}
errors++;
}
if(!((data27 === "anyone") || (data27 === "another"))){
const err64 = {instancePath:instancePath+"/approval/by",keyword:"enum",params:{allowedValues: schema24.properties.approval.properties.by.enum}};
if(vErrors === null){
vErrors = [err64];
}
else {
vErrors.push(err64);
}
errors++;
}
}
if(data21.changes !== undefined){
if(typeof data21.changes !== "boolean"){
const err65 = {instancePath:instancePath+"/approval/changes",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err65];
}
else {
vErrors.push(err65);
}
errors++;
}
}
}
else {
const err66 = {instancePath:instancePath+"/approval",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err66];
}
else {
vErrors.push(err66);
}
errors++;
}
}
if(data.conditions !== undefined){
let data29 = data.conditions;
if(Array.isArray(data29)){
if(data29.length > 16){
const err67 = {instancePath:instancePath+"/conditions",keyword:"maxItems",params:{limit: 16}};
if(vErrors === null){
vErrors = [err67];
}
else {
vErrors.push(err67);
}
errors++;
}
}
else {
const err68 = {instancePath:instancePath+"/conditions",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err68];
}
else {
vErrors.push(err68);
}
errors++;
}
}
if(data.pace !== undefined){
let data30 = data.pace;
if(Array.isArray(data30)){
if(data30.length > 4){
const err69 = {instancePath:instancePath+"/pace",keyword:"maxItems",params:{limit: 4}};
if(vErrors === null){
vErrors = [err69];
}
else {
vErrors.push(err69);
}
errors++;
}
const len7 = data30.length;
for(let i13=0; i13<len7; i13++){
let data31 = data30[i13];
if(data31 && typeof data31 == "object" && !Array.isArray(data31)){
if(data31.max === undefined){
const err70 = {instancePath:instancePath+"/pace/" + i13,keyword:"required",params:{missingProperty: "max"}};
if(vErrors === null){
vErrors = [err70];
}
else {
vErrors.push(err70);
}
errors++;
}
if(data31.seconds === undefined){
const err71 = {instancePath:instancePath+"/pace/" + i13,keyword:"required",params:{missingProperty: "seconds"}};
if(vErrors === null){
vErrors = [err71];
}
else {
vErrors.push(err71);
}
errors++;
}
for(const key3 in data31){
if(!((((key3 === "name") || (key3 === "actions")) || (key3 === "max")) || (key3 === "seconds"))){
const err72 = {instancePath:instancePath+"/pace/" + i13,keyword:"additionalProperties",params:{additionalProperty: key3}};
if(vErrors === null){
vErrors = [err72];
}
else {
vErrors.push(err72);
}
errors++;
}
}
if(data31.name !== undefined){
if(typeof data31.name !== "string"){
const err73 = {instancePath:instancePath+"/pace/" + i13+"/name",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err73];
}
else {
vErrors.push(err73);
}
errors++;
}
}
if(data31.actions !== undefined){
let data33 = data31.actions;
if(Array.isArray(data33)){
if(data33.length > 256){
const err74 = {instancePath:instancePath+"/pace/" + i13+"/actions",keyword:"maxItems",params:{limit: 256}};
if(vErrors === null){
vErrors = [err74];
}
else {
vErrors.push(err74);
}
errors++;
}
if(data33.length < 1){
const err75 = {instancePath:instancePath+"/pace/" + i13+"/actions",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err75];
}
else {
vErrors.push(err75);
}
errors++;
}
const len8 = data33.length;
for(let i14=0; i14<len8; i14++){
if(typeof data33[i14] !== "string"){
const err76 = {instancePath:instancePath+"/pace/" + i13+"/actions/" + i14,keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err76];
}
else {
vErrors.push(err76);
}
errors++;
}
}
let i15 = data33.length;
let j6;
if(i15 > 1){
const indices6 = {};
for(;i15--;){
let item6 = data33[i15];
if(typeof item6 !== "string"){
continue;
}
if(typeof indices6[item6] == "number"){
j6 = indices6[item6];
const err77 = {instancePath:instancePath+"/pace/" + i13+"/actions",keyword:"uniqueItems",params:{i: i15, j: j6}};
if(vErrors === null){
vErrors = [err77];
}
else {
vErrors.push(err77);
}
errors++;
break;
}
indices6[item6] = i15;
}
}
}
else {
const err78 = {instancePath:instancePath+"/pace/" + i13+"/actions",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err78];
}
else {
vErrors.push(err78);
}
errors++;
}
}
if(data31.max !== undefined){
let data35 = data31.max;
if(!(((typeof data35 == "number") && (!(data35 % 1) && !isNaN(data35))) && (isFinite(data35)))){
const err79 = {instancePath:instancePath+"/pace/" + i13+"/max",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err79];
}
else {
vErrors.push(err79);
}
errors++;
}
if((typeof data35 == "number") && (isFinite(data35))){
if(data35 > 10000 || isNaN(data35)){
const err80 = {instancePath:instancePath+"/pace/" + i13+"/max",keyword:"maximum",params:{comparison: "<=", limit: 10000}};
if(vErrors === null){
vErrors = [err80];
}
else {
vErrors.push(err80);
}
errors++;
}
if(data35 < 1 || isNaN(data35)){
const err81 = {instancePath:instancePath+"/pace/" + i13+"/max",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err81];
}
else {
vErrors.push(err81);
}
errors++;
}
}
}
if(data31.seconds !== undefined){
let data36 = data31.seconds;
if(!(((typeof data36 == "number") && (!(data36 % 1) && !isNaN(data36))) && (isFinite(data36)))){
const err82 = {instancePath:instancePath+"/pace/" + i13+"/seconds",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err82];
}
else {
vErrors.push(err82);
}
errors++;
}
if((typeof data36 == "number") && (isFinite(data36))){
if(data36 > 604800 || isNaN(data36)){
const err83 = {instancePath:instancePath+"/pace/" + i13+"/seconds",keyword:"maximum",params:{comparison: "<=", limit: 604800}};
if(vErrors === null){
vErrors = [err83];
}
else {
vErrors.push(err83);
}
errors++;
}
if(data36 < 1 || isNaN(data36)){
const err84 = {instancePath:instancePath+"/pace/" + i13+"/seconds",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err84];
}
else {
vErrors.push(err84);
}
errors++;
}
}
}
}
else {
const err85 = {instancePath:instancePath+"/pace/" + i13,keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err85];
}
else {
vErrors.push(err85);
}
errors++;
}
}
}
else {
const err86 = {instancePath:instancePath+"/pace",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err86];
}
else {
vErrors.push(err86);
}
errors++;
}
}
if(data.not_before !== undefined){
let data37 = data.not_before;
if(typeof data37 === "string"){
if(data37.length > 64){
const err87 = {instancePath:instancePath+"/not_before",keyword:"maxLength",params:{limit: 64}};
if(vErrors === null){
vErrors = [err87];
}
else {
vErrors.push(err87);
}
errors++;
}
}
else {
const err88 = {instancePath:instancePath+"/not_before",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err88];
}
else {
vErrors.push(err88);
}
errors++;
}
}
if(data.expires_at !== undefined){
let data38 = data.expires_at;
if(typeof data38 === "string"){
if(data38.length > 64){
const err89 = {instancePath:instancePath+"/expires_at",keyword:"maxLength",params:{limit: 64}};
if(vErrors === null){
vErrors = [err89];
}
else {
vErrors.push(err89);
}
errors++;
}
}
else {
const err90 = {instancePath:instancePath+"/expires_at",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err90];
}
else {
vErrors.push(err90);
}
errors++;
}
}
if(data.proof !== undefined){
let data39 = data.proof;
if(typeof data39 !== "string"){
const err91 = {instancePath:instancePath+"/proof",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err91];
}
else {
vErrors.push(err91);
}
errors++;
}
if(!(((data39 === "optional") || (data39 === "identity")) || (data39 === "intent"))){
const err92 = {instancePath:instancePath+"/proof",keyword:"enum",params:{allowedValues: schema24.properties.proof.enum}};
if(vErrors === null){
vErrors = [err92];
}
else {
vErrors.push(err92);
}
errors++;
}
}
if(data.description !== undefined){
let data40 = data.description;
if(typeof data40 === "string"){
if(data40.length > 500){
const err93 = {instancePath:instancePath+"/description",keyword:"maxLength",params:{limit: 500}};
if(vErrors === null){
vErrors = [err93];
}
else {
vErrors.push(err93);
}
errors++;
}
}
else {
const err94 = {instancePath:instancePath+"/description",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err94];
}
else {
vErrors.push(err94);
}
errors++;
}
}
if(data.public_keys !== undefined){
let data41 = data.public_keys;
if(Array.isArray(data41)){
if(data41.length > 4){
const err95 = {instancePath:instancePath+"/public_keys",keyword:"maxItems",params:{limit: 4}};
if(vErrors === null){
vErrors = [err95];
}
else {
vErrors.push(err95);
}
errors++;
}
const len9 = data41.length;
for(let i16=0; i16<len9; i16++){
let data42 = data41[i16];
if(data42 && typeof data42 == "object" && !Array.isArray(data42)){
if(data42.kty === undefined){
const err96 = {instancePath:instancePath+"/public_keys/" + i16,keyword:"required",params:{missingProperty: "kty"}};
if(vErrors === null){
vErrors = [err96];
}
else {
vErrors.push(err96);
}
errors++;
}
if(data42.crv === undefined){
const err97 = {instancePath:instancePath+"/public_keys/" + i16,keyword:"required",params:{missingProperty: "crv"}};
if(vErrors === null){
vErrors = [err97];
}
else {
vErrors.push(err97);
}
errors++;
}
if(data42.x === undefined){
const err98 = {instancePath:instancePath+"/public_keys/" + i16,keyword:"required",params:{missingProperty: "x"}};
if(vErrors === null){
vErrors = [err98];
}
else {
vErrors.push(err98);
}
errors++;
}
if(data42.kty !== undefined){
let data43 = data42.kty;
if(typeof data43 !== "string"){
const err99 = {instancePath:instancePath+"/public_keys/" + i16+"/kty",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err99];
}
else {
vErrors.push(err99);
}
errors++;
}
if(!((data43 === "OKP") || (data43 === "EC"))){
const err100 = {instancePath:instancePath+"/public_keys/" + i16+"/kty",keyword:"enum",params:{allowedValues: schema24.properties.public_keys.items.properties.kty.enum}};
if(vErrors === null){
vErrors = [err100];
}
else {
vErrors.push(err100);
}
errors++;
}
}
if(data42.crv !== undefined){
let data44 = data42.crv;
if(typeof data44 !== "string"){
const err101 = {instancePath:instancePath+"/public_keys/" + i16+"/crv",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err101];
}
else {
vErrors.push(err101);
}
errors++;
}
if(!((data44 === "Ed25519") || (data44 === "P-256"))){
const err102 = {instancePath:instancePath+"/public_keys/" + i16+"/crv",keyword:"enum",params:{allowedValues: schema24.properties.public_keys.items.properties.crv.enum}};
if(vErrors === null){
vErrors = [err102];
}
else {
vErrors.push(err102);
}
errors++;
}
}
if(data42.x !== undefined){
if(typeof data42.x !== "string"){
const err103 = {instancePath:instancePath+"/public_keys/" + i16+"/x",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err103];
}
else {
vErrors.push(err103);
}
errors++;
}
}
if(data42.y !== undefined){
if(typeof data42.y !== "string"){
const err104 = {instancePath:instancePath+"/public_keys/" + i16+"/y",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err104];
}
else {
vErrors.push(err104);
}
errors++;
}
}
if(data42.kid !== undefined){
if(typeof data42.kid !== "string"){
const err105 = {instancePath:instancePath+"/public_keys/" + i16+"/kid",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err105];
}
else {
vErrors.push(err105);
}
errors++;
}
}
if(data42.alg !== undefined){
let data48 = data42.alg;
if(typeof data48 !== "string"){
const err106 = {instancePath:instancePath+"/public_keys/" + i16+"/alg",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err106];
}
else {
vErrors.push(err106);
}
errors++;
}
if(!(((data48 === "EdDSA") || (data48 === "Ed25519")) || (data48 === "ES256"))){
const err107 = {instancePath:instancePath+"/public_keys/" + i16+"/alg",keyword:"enum",params:{allowedValues: schema24.properties.public_keys.items.properties.alg.enum}};
if(vErrors === null){
vErrors = [err107];
}
else {
vErrors.push(err107);
}
errors++;
}
}
if(data42.use !== undefined){
let data49 = data42.use;
if(typeof data49 !== "string"){
const err108 = {instancePath:instancePath+"/public_keys/" + i16+"/use",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err108];
}
else {
vErrors.push(err108);
}
errors++;
}
if(!(data49 === "sig")){
const err109 = {instancePath:instancePath+"/public_keys/" + i16+"/use",keyword:"enum",params:{allowedValues: schema24.properties.public_keys.items.properties.use.enum}};
if(vErrors === null){
vErrors = [err109];
}
else {
vErrors.push(err109);
}
errors++;
}
}
}
else {
const err110 = {instancePath:instancePath+"/public_keys/" + i16,keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err110];
}
else {
vErrors.push(err110);
}
errors++;
}
}
}
else {
const err111 = {instancePath:instancePath+"/public_keys",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err111];
}
else {
vErrors.push(err111);
}
errors++;
}
}
if(data.metadata !== undefined){
let data50 = data.metadata;
if(data50 && typeof data50 == "object" && !Array.isArray(data50)){
if(Object.keys(data50).length > 20){
const err112 = {instancePath:instancePath+"/metadata",keyword:"maxProperties",params:{limit: 20}};
if(vErrors === null){
vErrors = [err112];
}
else {
vErrors.push(err112);
}
errors++;
}
for(const key4 in data50){
let data51 = data50[key4];
if(typeof data51 === "string"){
if(data51.length > 500){
const err113 = {instancePath:instancePath+"/metadata/" + key4.replace(/~/g, "~0").replace(/\//g, "~1"),keyword:"maxLength",params:{limit: 500}};
if(vErrors === null){
vErrors = [err113];
}
else {
vErrors.push(err113);
}
errors++;
}
}
else {
const err114 = {instancePath:instancePath+"/metadata/" + key4.replace(/~/g, "~0").replace(/\//g, "~1"),keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err114];
}
else {
vErrors.push(err114);
}
errors++;
}
}
}
else {
const err115 = {instancePath:instancePath+"/metadata",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err115];
}
else {
vErrors.push(err115);
}
errors++;
}
}
}
else {
const err116 = {instancePath,keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err116];
}
else {
vErrors.push(err116);
}
errors++;
}
validate23.errors = vErrors;
return errors === 0;
}

const PassportPatch: Validator = validate24;
const schema25 = {"type":"object","description":"JSON Merge Patch (RFC 7396): null removes an optional field.","properties":{"allowed_actions":{"type":"array","items":{"type":"string"},"maxItems":256,"uniqueItems":true,"description":"Actions, compared exactly, or patterns that end in .* or :*, or * alone for every action of the grammar [A-Za-z0-9][A-Za-z0-9._:/-]{0,127}.","examples":[["payments.create","orders.*"]]},"monetary_limit_per_txn":{"type":["number","string"],"description":"Exact decimal, 0 to 10^15, at most 6 decimals (at most those of the currency). Send as a string what a JSON number cannot hold exactly.","examples":[100,"19.99"]},"denied_actions":{"type":["array","null"],"items":{"type":"string"},"maxItems":256,"uniqueItems":true,"description":"Actions, compared exactly, or patterns that end in .* or :*, or * alone for every action of the grammar [A-Za-z0-9][A-Za-z0-9._:/-]{0,127}.","examples":[["payments.create","orders.*"]]},"currency":{"type":["string","null"],"description":"ISO 4217 code in upper case.","examples":["EUR"]},"allowed_targets":{"type":["array","null"],"items":{"type":"string","maxLength":512},"maxItems":256,"uniqueItems":true,"description":"DIDs, exact, or did:web:*.example.com for every sub-domain. Absent: any target.","examples":[["did:web:shop.example.com","did:web:*.suppliers.example"]]},"monetary_actions":{"type":["array","null"],"items":{"type":"string"},"maxItems":256,"uniqueItems":true,"description":"Actions, compared exactly, or patterns that end in .* or :*, or * alone for every action of the grammar [A-Za-z0-9][A-Za-z0-9._:/-]{0,127}.","examples":[["payments.create","orders.*"]]},"budgets":{"type":["array","null"],"items":{"type":"object","description":"Either limit or count: what an agent may use in a window of time.","properties":{"name":{"type":"string","description":"[a-z][a-z0-9_-]{0,31}, unique in the passport. By default the name of the window."},"window":{"type":"string","enum":["hour","day","week","month","year","lifetime","rolling_hour","rolling_day","rolling_week","rolling_month"],"description":"In UTC; a week begins on Monday. A rolling window is the time before each intent."},"limit":{"type":["number","string"],"description":"In the currency of the passport; at most 2^53 - 1 of its minor units.","examples":[100,"19.99"]},"count":{"type":"integer","minimum":1,"maximum":1000000000,"description":"Allowed intents."},"actions":{"type":"array","items":{"type":"string"},"maxItems":256,"uniqueItems":true,"description":"What it counts. Absent: every action.","examples":[["payments.create","orders.*"]],"minItems":1}},"required":["window"],"additionalProperties":false},"maxItems":8,"description":"How much money the allowed intents may move together, or how many there may be.","examples":[[{"window":"day","limit":500}]]},"approval":{"type":["object","null"],"properties":{"above":{"type":["number","string","null"],"description":"Intents that move more than this, in the currency of the passport.","examples":[100,"19.99"]},"actions":{"type":["array","null"],"items":{"type":"string"},"maxItems":256,"uniqueItems":true,"description":"Intents with one of these actions.","examples":[["payments.create","orders.*"]],"minItems":1},"seconds":{"type":["integer","null"],"minimum":60,"maximum":604800,"description":"How long an approval may be given and used; 3600 by default."},"count":{"type":["integer","null"],"minimum":1,"maximum":3,"description":"The number of different people who must approve; 1 by default."},"by":{"type":["string","null"],"enum":["anyone","another",null],"description":"Whose approvals count: those of anyone (default), or of another person than who asked and who last widened the passport."},"changes":{"type":["boolean","null"],"description":"Whether a change of this passport that lets more happen has to be approved as well."}},"additionalProperties":false,"description":"Merged into what is stored; null removes a name."},"conditions":{"type":["array","null"],"maxItems":16},"pace":{"type":["array","null"],"items":{"type":"object","description":"How fast an agent may be.","properties":{"name":{"type":"string","description":"[a-z][a-z0-9_-]{0,31}, unique in the passport. By default pace."},"actions":{"type":"array","items":{"type":"string"},"maxItems":256,"uniqueItems":true,"description":"What it counts. Absent: every action.","examples":[["payments.create","orders.*"]],"minItems":1},"max":{"type":"integer","minimum":1,"maximum":10000,"description":"Allowed intents in any such time."},"seconds":{"type":"integer","minimum":1,"maximum":604800,"description":"The length of the time."}},"required":["max","seconds"],"additionalProperties":false},"maxItems":4,"description":"How many intents are allowed in any time of a length.","examples":[[{"actions":["email.send"],"max":5,"seconds":60}]]},"not_before":{"type":["string","null"],"maxLength":64,"description":"RFC 3339 instant; any offset in, UTC with milliseconds and Z out. A leap second (:60) is refused.","examples":["2026-11-20T12:00:00.000Z"]},"expires_at":{"type":["string","null"],"maxLength":64,"description":"RFC 3339 instant; any offset in, UTC with milliseconds and Z out. A leap second (:60) is refused.","examples":["2026-11-20T12:00:00.000Z"]},"proof":{"type":["string","null"],"enum":["optional","identity","intent",null],"description":"Whether the agent must prove with a key of its own that an intent comes from it (identity), or that it signed exactly this intent (intent). optional by default."},"description":{"type":["string","null"],"maxLength":500},"public_keys":{"type":["array","null"],"items":{"type":"object","description":"Public JWK of a key on Ed25519 or P-256. ext and key_ops are ignored; any other member is refused, and a private one with the code private_key.","properties":{"kty":{"type":"string","enum":["OKP","EC"]},"crv":{"type":"string","enum":["Ed25519","P-256"]},"x":{"type":"string","description":"32 bytes in base64url without padding."},"y":{"type":"string","description":"The same, for P-256 only."},"kid":{"type":"string","description":"If given, the RFC 7638 thumbprint of the key."},"alg":{"type":"string","enum":["EdDSA","Ed25519","ES256"]},"use":{"type":"string","enum":["sig"]}},"required":["kty","crv","x"]},"maxItems":4,"description":"Public keys of the agent. They are returned with kid and alg."},"metadata":{"type":["object","null"],"additionalProperties":{"type":["string","null"],"maxLength":500},"description":"Merged into what is stored; null removes a name."}},"required":[],"additionalProperties":false};

function validate24(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!(func2.call(schema25.properties, key0))){
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
const err5 = {instancePath:instancePath+"/monetary_limit_per_txn",keyword:"type",params:{type: schema25.properties.monetary_limit_per_txn.type}};
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
const err6 = {instancePath:instancePath+"/denied_actions",keyword:"type",params:{type: schema25.properties.denied_actions.type}};
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
const err10 = {instancePath:instancePath+"/currency",keyword:"type",params:{type: schema25.properties.currency.type}};
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
const err11 = {instancePath:instancePath+"/allowed_targets",keyword:"type",params:{type: schema25.properties.allowed_targets.type}};
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
const err16 = {instancePath:instancePath+"/monetary_actions",keyword:"type",params:{type: schema25.properties.monetary_actions.type}};
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
if(data.budgets !== undefined){
let data10 = data.budgets;
if((!(Array.isArray(data10))) && (data10 !== null)){
const err20 = {instancePath:instancePath+"/budgets",keyword:"type",params:{type: schema25.properties.budgets.type}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
if(Array.isArray(data10)){
if(data10.length > 8){
const err21 = {instancePath:instancePath+"/budgets",keyword:"maxItems",params:{limit: 8}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
const len4 = data10.length;
for(let i8=0; i8<len4; i8++){
let data11 = data10[i8];
if(data11 && typeof data11 == "object" && !Array.isArray(data11)){
if(data11.window === undefined){
const err22 = {instancePath:instancePath+"/budgets/" + i8,keyword:"required",params:{missingProperty: "window"}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
for(const key1 in data11){
if(!(((((key1 === "name") || (key1 === "window")) || (key1 === "limit")) || (key1 === "count")) || (key1 === "actions"))){
const err23 = {instancePath:instancePath+"/budgets/" + i8,keyword:"additionalProperties",params:{additionalProperty: key1}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
if(data11.name !== undefined){
if(typeof data11.name !== "string"){
const err24 = {instancePath:instancePath+"/budgets/" + i8+"/name",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
if(data11.window !== undefined){
let data13 = data11.window;
if(typeof data13 !== "string"){
const err25 = {instancePath:instancePath+"/budgets/" + i8+"/window",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
if(!((((((((((data13 === "hour") || (data13 === "day")) || (data13 === "week")) || (data13 === "month")) || (data13 === "year")) || (data13 === "lifetime")) || (data13 === "rolling_hour")) || (data13 === "rolling_day")) || (data13 === "rolling_week")) || (data13 === "rolling_month"))){
const err26 = {instancePath:instancePath+"/budgets/" + i8+"/window",keyword:"enum",params:{allowedValues: schema25.properties.budgets.items.properties.window.enum}};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
if(data11.limit !== undefined){
let data14 = data11.limit;
if((!((typeof data14 == "number") && (isFinite(data14)))) && (typeof data14 !== "string")){
const err27 = {instancePath:instancePath+"/budgets/" + i8+"/limit",keyword:"type",params:{type: schema25.properties.budgets.items.properties.limit.type}};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
if(data11.count !== undefined){
let data15 = data11.count;
if(!(((typeof data15 == "number") && (!(data15 % 1) && !isNaN(data15))) && (isFinite(data15)))){
const err28 = {instancePath:instancePath+"/budgets/" + i8+"/count",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
if((typeof data15 == "number") && (isFinite(data15))){
if(data15 > 1000000000 || isNaN(data15)){
const err29 = {instancePath:instancePath+"/budgets/" + i8+"/count",keyword:"maximum",params:{comparison: "<=", limit: 1000000000}};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
if(data15 < 1 || isNaN(data15)){
const err30 = {instancePath:instancePath+"/budgets/" + i8+"/count",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
}
if(data11.actions !== undefined){
let data16 = data11.actions;
if(Array.isArray(data16)){
if(data16.length > 256){
const err31 = {instancePath:instancePath+"/budgets/" + i8+"/actions",keyword:"maxItems",params:{limit: 256}};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
if(data16.length < 1){
const err32 = {instancePath:instancePath+"/budgets/" + i8+"/actions",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
const len5 = data16.length;
for(let i9=0; i9<len5; i9++){
if(typeof data16[i9] !== "string"){
const err33 = {instancePath:instancePath+"/budgets/" + i8+"/actions/" + i9,keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
}
let i10 = data16.length;
let j4;
if(i10 > 1){
const indices4 = {};
for(;i10--;){
let item4 = data16[i10];
if(typeof item4 !== "string"){
continue;
}
if(typeof indices4[item4] == "number"){
j4 = indices4[item4];
const err34 = {instancePath:instancePath+"/budgets/" + i8+"/actions",keyword:"uniqueItems",params:{i: i10, j: j4}};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
break;
}
indices4[item4] = i10;
}
}
}
else {
const err35 = {instancePath:instancePath+"/budgets/" + i8+"/actions",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
}
else {
const err36 = {instancePath:instancePath+"/budgets/" + i8,keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
}
}
if(data.approval !== undefined){
let data18 = data.approval;
if((!(data18 && typeof data18 == "object" && !Array.isArray(data18))) && (data18 !== null)){
const err37 = {instancePath:instancePath+"/approval",keyword:"type",params:{type: schema25.properties.approval.type}};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
if(data18 && typeof data18 == "object" && !Array.isArray(data18)){
for(const key2 in data18){
if(!((((((key2 === "above") || (key2 === "actions")) || (key2 === "seconds")) || (key2 === "count")) || (key2 === "by")) || (key2 === "changes"))){
const err38 = {instancePath:instancePath+"/approval",keyword:"additionalProperties",params:{additionalProperty: key2}};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
}
if(data18.above !== undefined){
let data19 = data18.above;
if(((!((typeof data19 == "number") && (isFinite(data19)))) && (typeof data19 !== "string")) && (data19 !== null)){
const err39 = {instancePath:instancePath+"/approval/above",keyword:"type",params:{type: schema25.properties.approval.properties.above.type}};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
}
if(data18.actions !== undefined){
let data20 = data18.actions;
if((!(Array.isArray(data20))) && (data20 !== null)){
const err40 = {instancePath:instancePath+"/approval/actions",keyword:"type",params:{type: schema25.properties.approval.properties.actions.type}};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
if(Array.isArray(data20)){
if(data20.length > 256){
const err41 = {instancePath:instancePath+"/approval/actions",keyword:"maxItems",params:{limit: 256}};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
if(data20.length < 1){
const err42 = {instancePath:instancePath+"/approval/actions",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
const len6 = data20.length;
for(let i11=0; i11<len6; i11++){
if(typeof data20[i11] !== "string"){
const err43 = {instancePath:instancePath+"/approval/actions/" + i11,keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
}
let i12 = data20.length;
let j5;
if(i12 > 1){
const indices5 = {};
for(;i12--;){
let item5 = data20[i12];
if(typeof item5 !== "string"){
continue;
}
if(typeof indices5[item5] == "number"){
j5 = indices5[item5];
const err44 = {instancePath:instancePath+"/approval/actions",keyword:"uniqueItems",params:{i: i12, j: j5}};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
break;
}
indices5[item5] = i12;
}
}
}
}
if(data18.seconds !== undefined){
let data22 = data18.seconds;
if((!(((typeof data22 == "number") && (!(data22 % 1) && !isNaN(data22))) && (isFinite(data22)))) && (data22 !== null)){
const err45 = {instancePath:instancePath+"/approval/seconds",keyword:"type",params:{type: schema25.properties.approval.properties.seconds.type}};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
if((typeof data22 == "number") && (isFinite(data22))){
if(data22 > 604800 || isNaN(data22)){
const err46 = {instancePath:instancePath+"/approval/seconds",keyword:"maximum",params:{comparison: "<=", limit: 604800}};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
if(data22 < 60 || isNaN(data22)){
const err47 = {instancePath:instancePath+"/approval/seconds",keyword:"minimum",params:{comparison: ">=", limit: 60}};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
}
}
if(data18.count !== undefined){
let data23 = data18.count;
if((!(((typeof data23 == "number") && (!(data23 % 1) && !isNaN(data23))) && (isFinite(data23)))) && (data23 !== null)){
const err48 = {instancePath:instancePath+"/approval/count",keyword:"type",params:{type: schema25.properties.approval.properties.count.type}};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
if((typeof data23 == "number") && (isFinite(data23))){
if(data23 > 3 || isNaN(data23)){
const err49 = {instancePath:instancePath+"/approval/count",keyword:"maximum",params:{comparison: "<=", limit: 3}};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
if(data23 < 1 || isNaN(data23)){
const err50 = {instancePath:instancePath+"/approval/count",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
}
}
if(data18.by !== undefined){
let data24 = data18.by;
if((typeof data24 !== "string") && (data24 !== null)){
const err51 = {instancePath:instancePath+"/approval/by",keyword:"type",params:{type: schema25.properties.approval.properties.by.type}};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
if(!(((data24 === "anyone") || (data24 === "another")) || (data24 === null))){
const err52 = {instancePath:instancePath+"/approval/by",keyword:"enum",params:{allowedValues: schema25.properties.approval.properties.by.enum}};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
}
if(data18.changes !== undefined){
let data25 = data18.changes;
if((typeof data25 !== "boolean") && (data25 !== null)){
const err53 = {instancePath:instancePath+"/approval/changes",keyword:"type",params:{type: schema25.properties.approval.properties.changes.type}};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
}
}
}
if(data.conditions !== undefined){
let data26 = data.conditions;
if((!(Array.isArray(data26))) && (data26 !== null)){
const err54 = {instancePath:instancePath+"/conditions",keyword:"type",params:{type: schema25.properties.conditions.type}};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
}
if(Array.isArray(data26)){
if(data26.length > 16){
const err55 = {instancePath:instancePath+"/conditions",keyword:"maxItems",params:{limit: 16}};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
}
}
}
if(data.pace !== undefined){
let data27 = data.pace;
if((!(Array.isArray(data27))) && (data27 !== null)){
const err56 = {instancePath:instancePath+"/pace",keyword:"type",params:{type: schema25.properties.pace.type}};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
}
if(Array.isArray(data27)){
if(data27.length > 4){
const err57 = {instancePath:instancePath+"/pace",keyword:"maxItems",params:{limit: 4}};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
const len7 = data27.length;
for(let i13=0; i13<len7; i13++){
let data28 = data27[i13];
if(data28 && typeof data28 == "object" && !Array.isArray(data28)){
if(data28.max === undefined){
const err58 = {instancePath:instancePath+"/pace/" + i13,keyword:"required",params:{missingProperty: "max"}};
if(vErrors === null){
vErrors = [err58];
}
else {
vErrors.push(err58);
}
errors++;
}
if(data28.seconds === undefined){
const err59 = {instancePath:instancePath+"/pace/" + i13,keyword:"required",params:{missingProperty: "seconds"}};
if(vErrors === null){
vErrors = [err59];
}
else {
vErrors.push(err59);
}
errors++;
}
for(const key3 in data28){
if(!((((key3 === "name") || (key3 === "actions")) || (key3 === "max")) || (key3 === "seconds"))){
const err60 = {instancePath:instancePath+"/pace/" + i13,keyword:"additionalProperties",params:{additionalProperty: key3}};
if(vErrors === null){
vErrors = [err60];
}
else {
vErrors.push(err60);
}
errors++;
}
}
if(data28.name !== undefined){
if(typeof data28.name !== "string"){
const err61 = {instancePath:instancePath+"/pace/" + i13+"/name",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err61];
}
else {
vErrors.push(err61);
}
errors++;
}
}
if(data28.actions !== undefined){
let data30 = data28.actions;
if(Array.isArray(data30)){
if(data30.length > 256){
const err62 = {instancePath:instancePath+"/pace/" + i13+"/actions",keyword:"maxItems",params:{limit: 256}};
if(vErrors === null){
vErrors = [err62];
}
else {
vErrors.push(err62);
}
errors++;
}
if(data30.length < 1){
const err63 = {instancePath:instancePath+"/pace/" + i13+"/actions",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err63];
}
else {
vErrors.push(err63);
}
errors++;
}
const len8 = data30.length;
for(let i14=0; i14<len8; i14++){
if(typeof data30[i14] !== "string"){
const err64 = {instancePath:instancePath+"/pace/" + i13+"/actions/" + i14,keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err64];
}
else {
vErrors.push(err64);
}
errors++;
}
}
let i15 = data30.length;
let j6;
if(i15 > 1){
const indices6 = {};
for(;i15--;){
let item6 = data30[i15];
if(typeof item6 !== "string"){
continue;
}
if(typeof indices6[item6] == "number"){
j6 = indices6[item6];
const err65 = {instancePath:instancePath+"/pace/" + i13+"/actions",keyword:"uniqueItems",params:{i: i15, j: j6}};
if(vErrors === null){
vErrors = [err65];
}
else {
vErrors.push(err65);
}
errors++;
break;
}
indices6[item6] = i15;
}
}
}
else {
const err66 = {instancePath:instancePath+"/pace/" + i13+"/actions",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err66];
}
else {
vErrors.push(err66);
}
errors++;
}
}
if(data28.max !== undefined){
let data32 = data28.max;
if(!(((typeof data32 == "number") && (!(data32 % 1) && !isNaN(data32))) && (isFinite(data32)))){
const err67 = {instancePath:instancePath+"/pace/" + i13+"/max",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err67];
}
else {
vErrors.push(err67);
}
errors++;
}
if((typeof data32 == "number") && (isFinite(data32))){
if(data32 > 10000 || isNaN(data32)){
const err68 = {instancePath:instancePath+"/pace/" + i13+"/max",keyword:"maximum",params:{comparison: "<=", limit: 10000}};
if(vErrors === null){
vErrors = [err68];
}
else {
vErrors.push(err68);
}
errors++;
}
if(data32 < 1 || isNaN(data32)){
const err69 = {instancePath:instancePath+"/pace/" + i13+"/max",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err69];
}
else {
vErrors.push(err69);
}
errors++;
}
}
}
if(data28.seconds !== undefined){
let data33 = data28.seconds;
if(!(((typeof data33 == "number") && (!(data33 % 1) && !isNaN(data33))) && (isFinite(data33)))){
const err70 = {instancePath:instancePath+"/pace/" + i13+"/seconds",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err70];
}
else {
vErrors.push(err70);
}
errors++;
}
if((typeof data33 == "number") && (isFinite(data33))){
if(data33 > 604800 || isNaN(data33)){
const err71 = {instancePath:instancePath+"/pace/" + i13+"/seconds",keyword:"maximum",params:{comparison: "<=", limit: 604800}};
if(vErrors === null){
vErrors = [err71];
}
else {
vErrors.push(err71);
}
errors++;
}
if(data33 < 1 || isNaN(data33)){
const err72 = {instancePath:instancePath+"/pace/" + i13+"/seconds",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err72];
}
else {
vErrors.push(err72);
}
errors++;
}
}
}
}
else {
const err73 = {instancePath:instancePath+"/pace/" + i13,keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err73];
}
else {
vErrors.push(err73);
}
errors++;
}
}
}
}
if(data.not_before !== undefined){
let data34 = data.not_before;
if((typeof data34 !== "string") && (data34 !== null)){
const err74 = {instancePath:instancePath+"/not_before",keyword:"type",params:{type: schema25.properties.not_before.type}};
if(vErrors === null){
vErrors = [err74];
}
else {
vErrors.push(err74);
}
errors++;
}
if(typeof data34 === "string"){
if(data34.length > 64){
const err75 = {instancePath:instancePath+"/not_before",keyword:"maxLength",params:{limit: 64}};
if(vErrors === null){
vErrors = [err75];
}
else {
vErrors.push(err75);
}
errors++;
}
}
}
if(data.expires_at !== undefined){
let data35 = data.expires_at;
if((typeof data35 !== "string") && (data35 !== null)){
const err76 = {instancePath:instancePath+"/expires_at",keyword:"type",params:{type: schema25.properties.expires_at.type}};
if(vErrors === null){
vErrors = [err76];
}
else {
vErrors.push(err76);
}
errors++;
}
if(typeof data35 === "string"){
if(data35.length > 64){
const err77 = {instancePath:instancePath+"/expires_at",keyword:"maxLength",params:{limit: 64}};
if(vErrors === null){
vErrors = [err77];
}
else {
vErrors.push(err77);
}
errors++;
}
}
}
if(data.proof !== undefined){
let data36 = data.proof;
if((typeof data36 !== "string") && (data36 !== null)){
const err78 = {instancePath:instancePath+"/proof",keyword:"type",params:{type: schema25.properties.proof.type}};
if(vErrors === null){
vErrors = [err78];
}
else {
vErrors.push(err78);
}
errors++;
}
if(!((((data36 === "optional") || (data36 === "identity")) || (data36 === "intent")) || (data36 === null))){
const err79 = {instancePath:instancePath+"/proof",keyword:"enum",params:{allowedValues: schema25.properties.proof.enum}};
if(vErrors === null){
vErrors = [err79];
}
else {
vErrors.push(err79);
}
errors++;
}
}
if(data.description !== undefined){
let data37 = data.description;
if((typeof data37 !== "string") && (data37 !== null)){
const err80 = {instancePath:instancePath+"/description",keyword:"type",params:{type: schema25.properties.description.type}};
if(vErrors === null){
vErrors = [err80];
}
else {
vErrors.push(err80);
}
errors++;
}
if(typeof data37 === "string"){
if(data37.length > 500){
const err81 = {instancePath:instancePath+"/description",keyword:"maxLength",params:{limit: 500}};
if(vErrors === null){
vErrors = [err81];
}
else {
vErrors.push(err81);
}
errors++;
}
}
}
if(data.public_keys !== undefined){
let data38 = data.public_keys;
if((!(Array.isArray(data38))) && (data38 !== null)){
const err82 = {instancePath:instancePath+"/public_keys",keyword:"type",params:{type: schema25.properties.public_keys.type}};
if(vErrors === null){
vErrors = [err82];
}
else {
vErrors.push(err82);
}
errors++;
}
if(Array.isArray(data38)){
if(data38.length > 4){
const err83 = {instancePath:instancePath+"/public_keys",keyword:"maxItems",params:{limit: 4}};
if(vErrors === null){
vErrors = [err83];
}
else {
vErrors.push(err83);
}
errors++;
}
const len9 = data38.length;
for(let i16=0; i16<len9; i16++){
let data39 = data38[i16];
if(data39 && typeof data39 == "object" && !Array.isArray(data39)){
if(data39.kty === undefined){
const err84 = {instancePath:instancePath+"/public_keys/" + i16,keyword:"required",params:{missingProperty: "kty"}};
if(vErrors === null){
vErrors = [err84];
}
else {
vErrors.push(err84);
}
errors++;
}
if(data39.crv === undefined){
const err85 = {instancePath:instancePath+"/public_keys/" + i16,keyword:"required",params:{missingProperty: "crv"}};
if(vErrors === null){
vErrors = [err85];
}
else {
vErrors.push(err85);
}
errors++;
}
if(data39.x === undefined){
const err86 = {instancePath:instancePath+"/public_keys/" + i16,keyword:"required",params:{missingProperty: "x"}};
if(vErrors === null){
vErrors = [err86];
}
else {
vErrors.push(err86);
}
errors++;
}
if(data39.kty !== undefined){
let data40 = data39.kty;
if(typeof data40 !== "string"){
const err87 = {instancePath:instancePath+"/public_keys/" + i16+"/kty",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err87];
}
else {
vErrors.push(err87);
}
errors++;
}
if(!((data40 === "OKP") || (data40 === "EC"))){
const err88 = {instancePath:instancePath+"/public_keys/" + i16+"/kty",keyword:"enum",params:{allowedValues: schema25.properties.public_keys.items.properties.kty.enum}};
if(vErrors === null){
vErrors = [err88];
}
else {
vErrors.push(err88);
}
errors++;
}
}
if(data39.crv !== undefined){
let data41 = data39.crv;
if(typeof data41 !== "string"){
const err89 = {instancePath:instancePath+"/public_keys/" + i16+"/crv",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err89];
}
else {
vErrors.push(err89);
}
errors++;
}
if(!((data41 === "Ed25519") || (data41 === "P-256"))){
const err90 = {instancePath:instancePath+"/public_keys/" + i16+"/crv",keyword:"enum",params:{allowedValues: schema25.properties.public_keys.items.properties.crv.enum}};
if(vErrors === null){
vErrors = [err90];
}
else {
vErrors.push(err90);
}
errors++;
}
}
if(data39.x !== undefined){
if(typeof data39.x !== "string"){
const err91 = {instancePath:instancePath+"/public_keys/" + i16+"/x",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err91];
}
else {
vErrors.push(err91);
}
errors++;
}
}
if(data39.y !== undefined){
if(typeof data39.y !== "string"){
const err92 = {instancePath:instancePath+"/public_keys/" + i16+"/y",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err92];
}
else {
vErrors.push(err92);
}
errors++;
}
}
if(data39.kid !== undefined){
if(typeof data39.kid !== "string"){
const err93 = {instancePath:instancePath+"/public_keys/" + i16+"/kid",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err93];
}
else {
vErrors.push(err93);
}
errors++;
}
}
if(data39.alg !== undefined){
let data45 = data39.alg;
if(typeof data45 !== "string"){
const err94 = {instancePath:instancePath+"/public_keys/" + i16+"/alg",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err94];
}
else {
vErrors.push(err94);
}
errors++;
}
if(!(((data45 === "EdDSA") || (data45 === "Ed25519")) || (data45 === "ES256"))){
const err95 = {instancePath:instancePath+"/public_keys/" + i16+"/alg",keyword:"enum",params:{allowedValues: schema25.properties.public_keys.items.properties.alg.enum}};
if(vErrors === null){
vErrors = [err95];
}
else {
vErrors.push(err95);
}
errors++;
}
}
if(data39.use !== undefined){
let data46 = data39.use;
if(typeof data46 !== "string"){
const err96 = {instancePath:instancePath+"/public_keys/" + i16+"/use",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err96];
}
else {
vErrors.push(err96);
}
errors++;
}
if(!(data46 === "sig")){
const err97 = {instancePath:instancePath+"/public_keys/" + i16+"/use",keyword:"enum",params:{allowedValues: schema25.properties.public_keys.items.properties.use.enum}};
if(vErrors === null){
vErrors = [err97];
}
else {
vErrors.push(err97);
}
errors++;
}
}
}
else {
const err98 = {instancePath:instancePath+"/public_keys/" + i16,keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err98];
}
else {
vErrors.push(err98);
}
errors++;
}
}
}
}
if(data.metadata !== undefined){
let data47 = data.metadata;
if((!(data47 && typeof data47 == "object" && !Array.isArray(data47))) && (data47 !== null)){
const err99 = {instancePath:instancePath+"/metadata",keyword:"type",params:{type: schema25.properties.metadata.type}};
if(vErrors === null){
vErrors = [err99];
}
else {
vErrors.push(err99);
}
errors++;
}
if(data47 && typeof data47 == "object" && !Array.isArray(data47)){
for(const key4 in data47){
let data48 = data47[key4];
if((typeof data48 !== "string") && (data48 !== null)){
const err100 = {instancePath:instancePath+"/metadata/" + key4.replace(/~/g, "~0").replace(/\//g, "~1"),keyword:"type",params:{type: schema25.properties.metadata.additionalProperties.type}};
if(vErrors === null){
vErrors = [err100];
}
else {
vErrors.push(err100);
}
errors++;
}
if(typeof data48 === "string"){
if(data48.length > 500){
const err101 = {instancePath:instancePath+"/metadata/" + key4.replace(/~/g, "~0").replace(/\//g, "~1"),keyword:"maxLength",params:{limit: 500}};
if(vErrors === null){
vErrors = [err101];
}
else {
vErrors.push(err101);
}
errors++;
}
}
}
}
}
}
else {
const err102 = {instancePath,keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err102];
}
else {
vErrors.push(err102);
}
errors++;
}
validate24.errors = vErrors;
return errors === 0;
}

const DomainRequest: Validator = validate25;
const schema26 = {"type":"object","description":"The domain to claim.","properties":{"domain":{"type":"string","minLength":1,"maxLength":253,"description":"The host, without port.","examples":["example.com"]}},"required":["domain"],"additionalProperties":false};

function validate25(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
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
for(const key0 in data){
if(!(key0 === "domain")){
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
if(data.domain !== undefined){
let data0 = data.domain;
if(typeof data0 === "string"){
if(data0.length > 253){
const err2 = {instancePath:instancePath+"/domain",keyword:"maxLength",params:{limit: 253}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data0.length < 1){
const err3 = {instancePath:instancePath+"/domain",keyword:"minLength",params:{limit: 1}};
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
const err4 = {instancePath:instancePath+"/domain",keyword:"type",params:{type: "string"}};
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
validate25.errors = vErrors;
return errors === 0;
}

const TryRequest: Validator = validate26;
const schema27 = {"type":"object","description":"An intent to judge by the passport, or by what the patch would make of it.","properties":{"patch":{"$ref":"PassportPatch"},"intent":{"$ref":"Intent"}},"required":["intent"],"additionalProperties":false};
const schema29 = {"type":"object","description":"An action that an agent asks to take.","properties":{"agent_id":{"type":"string","minLength":1,"maxLength":512},"action":{"type":"string","minLength":1,"maxLength":256,"examples":["payments.create"]},"target":{"type":"string","maxLength":512,"description":"The DID the action is aimed at."},"parameters":{"type":"object"},"proof":{"type":"string"},"dry_run":{"type":"boolean","description":"Ask without acting."},"approval_id":{"type":"string","minLength":1,"maxLength":128,"description":"The approval of exactly this intent, good for one ALLOW."},"hold_seconds":{"type":"integer","minimum":1,"maximum":604800,"description":"Seconds for which the ALLOW only reserves, until it is committed or released."},"subject":{"type":"string","minLength":1,"maxLength":256,"pattern":"^(?:[^\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff]|[\\ud800-\\udbff][\\udc00-\\udfff])+$","description":"The user an agent acts for: your opaque id, not an address. It is recorded, not judged.","examples":["user-4711"]},"permit":{"type":"object","description":"A signed ALLOW for exactly this intent, which a resource demands; needs the scope permit.","properties":{"audience":{"type":"string","pattern":"^(?!test:)[!-~]{1,256}$","description":"The resource, by its own name.","examples":["https://pay.example"]},"seconds":{"type":"integer","minimum":1,"maximum":60,"default":30},"bind":{"type":"boolean","description":"Binds it to the key that proves the intent."}},"required":["audience"],"additionalProperties":false}},"required":["agent_id","action"],"additionalProperties":false};
const pattern0 = new RegExp("^(?:[^\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff]|[\\ud800-\\udbff][\\udc00-\\udfff])+$", "u");
const pattern1 = new RegExp("^(?!test:)[!-~]{1,256}$", "u");

function validate26(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.intent === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "intent"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 in data){
if(!((key0 === "patch") || (key0 === "intent"))){
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
if(data.patch !== undefined){
let data0 = data.patch;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
for(const key1 in data0){
if(!(func2.call(schema25.properties, key1))){
const err2 = {instancePath:instancePath+"/patch",keyword:"additionalProperties",params:{additionalProperty: key1}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data0.allowed_actions !== undefined){
let data1 = data0.allowed_actions;
if(Array.isArray(data1)){
if(data1.length > 256){
const err3 = {instancePath:instancePath+"/patch/allowed_actions",keyword:"maxItems",params:{limit: 256}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
if(typeof data1[i0] !== "string"){
const err4 = {instancePath:instancePath+"/patch/allowed_actions/" + i0,keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
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
const err5 = {instancePath:instancePath+"/patch/allowed_actions",keyword:"uniqueItems",params:{i: i1, j: j0}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
break;
}
indices0[item0] = i1;
}
}
}
else {
const err6 = {instancePath:instancePath+"/patch/allowed_actions",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data0.monetary_limit_per_txn !== undefined){
let data3 = data0.monetary_limit_per_txn;
if((!((typeof data3 == "number") && (isFinite(data3)))) && (typeof data3 !== "string")){
const err7 = {instancePath:instancePath+"/patch/monetary_limit_per_txn",keyword:"type",params:{type: schema25.properties.monetary_limit_per_txn.type}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data0.denied_actions !== undefined){
let data4 = data0.denied_actions;
if((!(Array.isArray(data4))) && (data4 !== null)){
const err8 = {instancePath:instancePath+"/patch/denied_actions",keyword:"type",params:{type: schema25.properties.denied_actions.type}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
if(Array.isArray(data4)){
if(data4.length > 256){
const err9 = {instancePath:instancePath+"/patch/denied_actions",keyword:"maxItems",params:{limit: 256}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
const len1 = data4.length;
for(let i2=0; i2<len1; i2++){
if(typeof data4[i2] !== "string"){
const err10 = {instancePath:instancePath+"/patch/denied_actions/" + i2,keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
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
const err11 = {instancePath:instancePath+"/patch/denied_actions",keyword:"uniqueItems",params:{i: i3, j: j1}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
break;
}
indices1[item1] = i3;
}
}
}
}
if(data0.currency !== undefined){
let data6 = data0.currency;
if((typeof data6 !== "string") && (data6 !== null)){
const err12 = {instancePath:instancePath+"/patch/currency",keyword:"type",params:{type: schema25.properties.currency.type}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data0.allowed_targets !== undefined){
let data7 = data0.allowed_targets;
if((!(Array.isArray(data7))) && (data7 !== null)){
const err13 = {instancePath:instancePath+"/patch/allowed_targets",keyword:"type",params:{type: schema25.properties.allowed_targets.type}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if(Array.isArray(data7)){
if(data7.length > 256){
const err14 = {instancePath:instancePath+"/patch/allowed_targets",keyword:"maxItems",params:{limit: 256}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
const len2 = data7.length;
for(let i4=0; i4<len2; i4++){
let data8 = data7[i4];
if(typeof data8 === "string"){
if(data8.length > 512){
const err15 = {instancePath:instancePath+"/patch/allowed_targets/" + i4,keyword:"maxLength",params:{limit: 512}};
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
const err16 = {instancePath:instancePath+"/patch/allowed_targets/" + i4,keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
let i5 = data7.length;
let j2;
if(i5 > 1){
const indices2 = {};
for(;i5--;){
let item2 = data7[i5];
if(typeof item2 !== "string"){
continue;
}
if(typeof indices2[item2] == "number"){
j2 = indices2[item2];
const err17 = {instancePath:instancePath+"/patch/allowed_targets",keyword:"uniqueItems",params:{i: i5, j: j2}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
break;
}
indices2[item2] = i5;
}
}
}
}
if(data0.monetary_actions !== undefined){
let data9 = data0.monetary_actions;
if((!(Array.isArray(data9))) && (data9 !== null)){
const err18 = {instancePath:instancePath+"/patch/monetary_actions",keyword:"type",params:{type: schema25.properties.monetary_actions.type}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
if(Array.isArray(data9)){
if(data9.length > 256){
const err19 = {instancePath:instancePath+"/patch/monetary_actions",keyword:"maxItems",params:{limit: 256}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
const len3 = data9.length;
for(let i6=0; i6<len3; i6++){
if(typeof data9[i6] !== "string"){
const err20 = {instancePath:instancePath+"/patch/monetary_actions/" + i6,keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
let i7 = data9.length;
let j3;
if(i7 > 1){
const indices3 = {};
for(;i7--;){
let item3 = data9[i7];
if(typeof item3 !== "string"){
continue;
}
if(typeof indices3[item3] == "number"){
j3 = indices3[item3];
const err21 = {instancePath:instancePath+"/patch/monetary_actions",keyword:"uniqueItems",params:{i: i7, j: j3}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
break;
}
indices3[item3] = i7;
}
}
}
}
if(data0.budgets !== undefined){
let data11 = data0.budgets;
if((!(Array.isArray(data11))) && (data11 !== null)){
const err22 = {instancePath:instancePath+"/patch/budgets",keyword:"type",params:{type: schema25.properties.budgets.type}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
if(Array.isArray(data11)){
if(data11.length > 8){
const err23 = {instancePath:instancePath+"/patch/budgets",keyword:"maxItems",params:{limit: 8}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
const len4 = data11.length;
for(let i8=0; i8<len4; i8++){
let data12 = data11[i8];
if(data12 && typeof data12 == "object" && !Array.isArray(data12)){
if(data12.window === undefined){
const err24 = {instancePath:instancePath+"/patch/budgets/" + i8,keyword:"required",params:{missingProperty: "window"}};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
for(const key2 in data12){
if(!(((((key2 === "name") || (key2 === "window")) || (key2 === "limit")) || (key2 === "count")) || (key2 === "actions"))){
const err25 = {instancePath:instancePath+"/patch/budgets/" + i8,keyword:"additionalProperties",params:{additionalProperty: key2}};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
if(data12.name !== undefined){
if(typeof data12.name !== "string"){
const err26 = {instancePath:instancePath+"/patch/budgets/" + i8+"/name",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
if(data12.window !== undefined){
let data14 = data12.window;
if(typeof data14 !== "string"){
const err27 = {instancePath:instancePath+"/patch/budgets/" + i8+"/window",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
if(!((((((((((data14 === "hour") || (data14 === "day")) || (data14 === "week")) || (data14 === "month")) || (data14 === "year")) || (data14 === "lifetime")) || (data14 === "rolling_hour")) || (data14 === "rolling_day")) || (data14 === "rolling_week")) || (data14 === "rolling_month"))){
const err28 = {instancePath:instancePath+"/patch/budgets/" + i8+"/window",keyword:"enum",params:{allowedValues: schema25.properties.budgets.items.properties.window.enum}};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
if(data12.limit !== undefined){
let data15 = data12.limit;
if((!((typeof data15 == "number") && (isFinite(data15)))) && (typeof data15 !== "string")){
const err29 = {instancePath:instancePath+"/patch/budgets/" + i8+"/limit",keyword:"type",params:{type: schema25.properties.budgets.items.properties.limit.type}};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
if(data12.count !== undefined){
let data16 = data12.count;
if(!(((typeof data16 == "number") && (!(data16 % 1) && !isNaN(data16))) && (isFinite(data16)))){
const err30 = {instancePath:instancePath+"/patch/budgets/" + i8+"/count",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
if((typeof data16 == "number") && (isFinite(data16))){
if(data16 > 1000000000 || isNaN(data16)){
const err31 = {instancePath:instancePath+"/patch/budgets/" + i8+"/count",keyword:"maximum",params:{comparison: "<=", limit: 1000000000}};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
if(data16 < 1 || isNaN(data16)){
const err32 = {instancePath:instancePath+"/patch/budgets/" + i8+"/count",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
}
if(data12.actions !== undefined){
let data17 = data12.actions;
if(Array.isArray(data17)){
if(data17.length > 256){
const err33 = {instancePath:instancePath+"/patch/budgets/" + i8+"/actions",keyword:"maxItems",params:{limit: 256}};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
if(data17.length < 1){
const err34 = {instancePath:instancePath+"/patch/budgets/" + i8+"/actions",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
const len5 = data17.length;
for(let i9=0; i9<len5; i9++){
if(typeof data17[i9] !== "string"){
const err35 = {instancePath:instancePath+"/patch/budgets/" + i8+"/actions/" + i9,keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
let i10 = data17.length;
let j4;
if(i10 > 1){
const indices4 = {};
for(;i10--;){
let item4 = data17[i10];
if(typeof item4 !== "string"){
continue;
}
if(typeof indices4[item4] == "number"){
j4 = indices4[item4];
const err36 = {instancePath:instancePath+"/patch/budgets/" + i8+"/actions",keyword:"uniqueItems",params:{i: i10, j: j4}};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
break;
}
indices4[item4] = i10;
}
}
}
else {
const err37 = {instancePath:instancePath+"/patch/budgets/" + i8+"/actions",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
}
}
else {
const err38 = {instancePath:instancePath+"/patch/budgets/" + i8,keyword:"type",params:{type: "object"}};
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
}
if(data0.approval !== undefined){
let data19 = data0.approval;
if((!(data19 && typeof data19 == "object" && !Array.isArray(data19))) && (data19 !== null)){
const err39 = {instancePath:instancePath+"/patch/approval",keyword:"type",params:{type: schema25.properties.approval.type}};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
if(data19 && typeof data19 == "object" && !Array.isArray(data19)){
for(const key3 in data19){
if(!((((((key3 === "above") || (key3 === "actions")) || (key3 === "seconds")) || (key3 === "count")) || (key3 === "by")) || (key3 === "changes"))){
const err40 = {instancePath:instancePath+"/patch/approval",keyword:"additionalProperties",params:{additionalProperty: key3}};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
}
if(data19.above !== undefined){
let data20 = data19.above;
if(((!((typeof data20 == "number") && (isFinite(data20)))) && (typeof data20 !== "string")) && (data20 !== null)){
const err41 = {instancePath:instancePath+"/patch/approval/above",keyword:"type",params:{type: schema25.properties.approval.properties.above.type}};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
}
if(data19.actions !== undefined){
let data21 = data19.actions;
if((!(Array.isArray(data21))) && (data21 !== null)){
const err42 = {instancePath:instancePath+"/patch/approval/actions",keyword:"type",params:{type: schema25.properties.approval.properties.actions.type}};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
if(Array.isArray(data21)){
if(data21.length > 256){
const err43 = {instancePath:instancePath+"/patch/approval/actions",keyword:"maxItems",params:{limit: 256}};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
if(data21.length < 1){
const err44 = {instancePath:instancePath+"/patch/approval/actions",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
const len6 = data21.length;
for(let i11=0; i11<len6; i11++){
if(typeof data21[i11] !== "string"){
const err45 = {instancePath:instancePath+"/patch/approval/actions/" + i11,keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
}
let i12 = data21.length;
let j5;
if(i12 > 1){
const indices5 = {};
for(;i12--;){
let item5 = data21[i12];
if(typeof item5 !== "string"){
continue;
}
if(typeof indices5[item5] == "number"){
j5 = indices5[item5];
const err46 = {instancePath:instancePath+"/patch/approval/actions",keyword:"uniqueItems",params:{i: i12, j: j5}};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
break;
}
indices5[item5] = i12;
}
}
}
}
if(data19.seconds !== undefined){
let data23 = data19.seconds;
if((!(((typeof data23 == "number") && (!(data23 % 1) && !isNaN(data23))) && (isFinite(data23)))) && (data23 !== null)){
const err47 = {instancePath:instancePath+"/patch/approval/seconds",keyword:"type",params:{type: schema25.properties.approval.properties.seconds.type}};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
if((typeof data23 == "number") && (isFinite(data23))){
if(data23 > 604800 || isNaN(data23)){
const err48 = {instancePath:instancePath+"/patch/approval/seconds",keyword:"maximum",params:{comparison: "<=", limit: 604800}};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
if(data23 < 60 || isNaN(data23)){
const err49 = {instancePath:instancePath+"/patch/approval/seconds",keyword:"minimum",params:{comparison: ">=", limit: 60}};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
}
}
if(data19.count !== undefined){
let data24 = data19.count;
if((!(((typeof data24 == "number") && (!(data24 % 1) && !isNaN(data24))) && (isFinite(data24)))) && (data24 !== null)){
const err50 = {instancePath:instancePath+"/patch/approval/count",keyword:"type",params:{type: schema25.properties.approval.properties.count.type}};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
if((typeof data24 == "number") && (isFinite(data24))){
if(data24 > 3 || isNaN(data24)){
const err51 = {instancePath:instancePath+"/patch/approval/count",keyword:"maximum",params:{comparison: "<=", limit: 3}};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
if(data24 < 1 || isNaN(data24)){
const err52 = {instancePath:instancePath+"/patch/approval/count",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
}
}
if(data19.by !== undefined){
let data25 = data19.by;
if((typeof data25 !== "string") && (data25 !== null)){
const err53 = {instancePath:instancePath+"/patch/approval/by",keyword:"type",params:{type: schema25.properties.approval.properties.by.type}};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
if(!(((data25 === "anyone") || (data25 === "another")) || (data25 === null))){
const err54 = {instancePath:instancePath+"/patch/approval/by",keyword:"enum",params:{allowedValues: schema25.properties.approval.properties.by.enum}};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
}
}
if(data19.changes !== undefined){
let data26 = data19.changes;
if((typeof data26 !== "boolean") && (data26 !== null)){
const err55 = {instancePath:instancePath+"/patch/approval/changes",keyword:"type",params:{type: schema25.properties.approval.properties.changes.type}};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
}
}
}
}
if(data0.conditions !== undefined){
let data27 = data0.conditions;
if((!(Array.isArray(data27))) && (data27 !== null)){
const err56 = {instancePath:instancePath+"/patch/conditions",keyword:"type",params:{type: schema25.properties.conditions.type}};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
}
if(Array.isArray(data27)){
if(data27.length > 16){
const err57 = {instancePath:instancePath+"/patch/conditions",keyword:"maxItems",params:{limit: 16}};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
}
}
if(data0.pace !== undefined){
let data28 = data0.pace;
if((!(Array.isArray(data28))) && (data28 !== null)){
const err58 = {instancePath:instancePath+"/patch/pace",keyword:"type",params:{type: schema25.properties.pace.type}};
if(vErrors === null){
vErrors = [err58];
}
else {
vErrors.push(err58);
}
errors++;
}
if(Array.isArray(data28)){
if(data28.length > 4){
const err59 = {instancePath:instancePath+"/patch/pace",keyword:"maxItems",params:{limit: 4}};
if(vErrors === null){
vErrors = [err59];
}
else {
vErrors.push(err59);
}
errors++;
}
const len7 = data28.length;
for(let i13=0; i13<len7; i13++){
let data29 = data28[i13];
if(data29 && typeof data29 == "object" && !Array.isArray(data29)){
if(data29.max === undefined){
const err60 = {instancePath:instancePath+"/patch/pace/" + i13,keyword:"required",params:{missingProperty: "max"}};
if(vErrors === null){
vErrors = [err60];
}
else {
vErrors.push(err60);
}
errors++;
}
if(data29.seconds === undefined){
const err61 = {instancePath:instancePath+"/patch/pace/" + i13,keyword:"required",params:{missingProperty: "seconds"}};
if(vErrors === null){
vErrors = [err61];
}
else {
vErrors.push(err61);
}
errors++;
}
for(const key4 in data29){
if(!((((key4 === "name") || (key4 === "actions")) || (key4 === "max")) || (key4 === "seconds"))){
const err62 = {instancePath:instancePath+"/patch/pace/" + i13,keyword:"additionalProperties",params:{additionalProperty: key4}};
if(vErrors === null){
vErrors = [err62];
}
else {
vErrors.push(err62);
}
errors++;
}
}
if(data29.name !== undefined){
if(typeof data29.name !== "string"){
const err63 = {instancePath:instancePath+"/patch/pace/" + i13+"/name",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err63];
}
else {
vErrors.push(err63);
}
errors++;
}
}
if(data29.actions !== undefined){
let data31 = data29.actions;
if(Array.isArray(data31)){
if(data31.length > 256){
const err64 = {instancePath:instancePath+"/patch/pace/" + i13+"/actions",keyword:"maxItems",params:{limit: 256}};
if(vErrors === null){
vErrors = [err64];
}
else {
vErrors.push(err64);
}
errors++;
}
if(data31.length < 1){
const err65 = {instancePath:instancePath+"/patch/pace/" + i13+"/actions",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err65];
}
else {
vErrors.push(err65);
}
errors++;
}
const len8 = data31.length;
for(let i14=0; i14<len8; i14++){
if(typeof data31[i14] !== "string"){
const err66 = {instancePath:instancePath+"/patch/pace/" + i13+"/actions/" + i14,keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err66];
}
else {
vErrors.push(err66);
}
errors++;
}
}
let i15 = data31.length;
let j6;
if(i15 > 1){
const indices6 = {};
for(;i15--;){
let item6 = data31[i15];
if(typeof item6 !== "string"){
continue;
}
if(typeof indices6[item6] == "number"){
j6 = indices6[item6];
const err67 = {instancePath:instancePath+"/patch/pace/" + i13+"/actions",keyword:"uniqueItems",params:{i: i15, j: j6}};
if(vErrors === null){
vErrors = [err67];
}
else {
vErrors.push(err67);
}
errors++;
break;
}
indices6[item6] = i15;
}
}
}
else {
const err68 = {instancePath:instancePath+"/patch/pace/" + i13+"/actions",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err68];
}
else {
vErrors.push(err68);
}
errors++;
}
}
if(data29.max !== undefined){
let data33 = data29.max;
if(!(((typeof data33 == "number") && (!(data33 % 1) && !isNaN(data33))) && (isFinite(data33)))){
const err69 = {instancePath:instancePath+"/patch/pace/" + i13+"/max",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err69];
}
else {
vErrors.push(err69);
}
errors++;
}
if((typeof data33 == "number") && (isFinite(data33))){
if(data33 > 10000 || isNaN(data33)){
const err70 = {instancePath:instancePath+"/patch/pace/" + i13+"/max",keyword:"maximum",params:{comparison: "<=", limit: 10000}};
if(vErrors === null){
vErrors = [err70];
}
else {
vErrors.push(err70);
}
errors++;
}
if(data33 < 1 || isNaN(data33)){
const err71 = {instancePath:instancePath+"/patch/pace/" + i13+"/max",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err71];
}
else {
vErrors.push(err71);
}
errors++;
}
}
}
if(data29.seconds !== undefined){
let data34 = data29.seconds;
if(!(((typeof data34 == "number") && (!(data34 % 1) && !isNaN(data34))) && (isFinite(data34)))){
const err72 = {instancePath:instancePath+"/patch/pace/" + i13+"/seconds",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err72];
}
else {
vErrors.push(err72);
}
errors++;
}
if((typeof data34 == "number") && (isFinite(data34))){
if(data34 > 604800 || isNaN(data34)){
const err73 = {instancePath:instancePath+"/patch/pace/" + i13+"/seconds",keyword:"maximum",params:{comparison: "<=", limit: 604800}};
if(vErrors === null){
vErrors = [err73];
}
else {
vErrors.push(err73);
}
errors++;
}
if(data34 < 1 || isNaN(data34)){
const err74 = {instancePath:instancePath+"/patch/pace/" + i13+"/seconds",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err74];
}
else {
vErrors.push(err74);
}
errors++;
}
}
}
}
else {
const err75 = {instancePath:instancePath+"/patch/pace/" + i13,keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err75];
}
else {
vErrors.push(err75);
}
errors++;
}
}
}
}
if(data0.not_before !== undefined){
let data35 = data0.not_before;
if((typeof data35 !== "string") && (data35 !== null)){
const err76 = {instancePath:instancePath+"/patch/not_before",keyword:"type",params:{type: schema25.properties.not_before.type}};
if(vErrors === null){
vErrors = [err76];
}
else {
vErrors.push(err76);
}
errors++;
}
if(typeof data35 === "string"){
if(data35.length > 64){
const err77 = {instancePath:instancePath+"/patch/not_before",keyword:"maxLength",params:{limit: 64}};
if(vErrors === null){
vErrors = [err77];
}
else {
vErrors.push(err77);
}
errors++;
}
}
}
if(data0.expires_at !== undefined){
let data36 = data0.expires_at;
if((typeof data36 !== "string") && (data36 !== null)){
const err78 = {instancePath:instancePath+"/patch/expires_at",keyword:"type",params:{type: schema25.properties.expires_at.type}};
if(vErrors === null){
vErrors = [err78];
}
else {
vErrors.push(err78);
}
errors++;
}
if(typeof data36 === "string"){
if(data36.length > 64){
const err79 = {instancePath:instancePath+"/patch/expires_at",keyword:"maxLength",params:{limit: 64}};
if(vErrors === null){
vErrors = [err79];
}
else {
vErrors.push(err79);
}
errors++;
}
}
}
if(data0.proof !== undefined){
let data37 = data0.proof;
if((typeof data37 !== "string") && (data37 !== null)){
const err80 = {instancePath:instancePath+"/patch/proof",keyword:"type",params:{type: schema25.properties.proof.type}};
if(vErrors === null){
vErrors = [err80];
}
else {
vErrors.push(err80);
}
errors++;
}
if(!((((data37 === "optional") || (data37 === "identity")) || (data37 === "intent")) || (data37 === null))){
const err81 = {instancePath:instancePath+"/patch/proof",keyword:"enum",params:{allowedValues: schema25.properties.proof.enum}};
if(vErrors === null){
vErrors = [err81];
}
else {
vErrors.push(err81);
}
errors++;
}
}
if(data0.description !== undefined){
let data38 = data0.description;
if((typeof data38 !== "string") && (data38 !== null)){
const err82 = {instancePath:instancePath+"/patch/description",keyword:"type",params:{type: schema25.properties.description.type}};
if(vErrors === null){
vErrors = [err82];
}
else {
vErrors.push(err82);
}
errors++;
}
if(typeof data38 === "string"){
if(data38.length > 500){
const err83 = {instancePath:instancePath+"/patch/description",keyword:"maxLength",params:{limit: 500}};
if(vErrors === null){
vErrors = [err83];
}
else {
vErrors.push(err83);
}
errors++;
}
}
}
if(data0.public_keys !== undefined){
let data39 = data0.public_keys;
if((!(Array.isArray(data39))) && (data39 !== null)){
const err84 = {instancePath:instancePath+"/patch/public_keys",keyword:"type",params:{type: schema25.properties.public_keys.type}};
if(vErrors === null){
vErrors = [err84];
}
else {
vErrors.push(err84);
}
errors++;
}
if(Array.isArray(data39)){
if(data39.length > 4){
const err85 = {instancePath:instancePath+"/patch/public_keys",keyword:"maxItems",params:{limit: 4}};
if(vErrors === null){
vErrors = [err85];
}
else {
vErrors.push(err85);
}
errors++;
}
const len9 = data39.length;
for(let i16=0; i16<len9; i16++){
let data40 = data39[i16];
if(data40 && typeof data40 == "object" && !Array.isArray(data40)){
if(data40.kty === undefined){
const err86 = {instancePath:instancePath+"/patch/public_keys/" + i16,keyword:"required",params:{missingProperty: "kty"}};
if(vErrors === null){
vErrors = [err86];
}
else {
vErrors.push(err86);
}
errors++;
}
if(data40.crv === undefined){
const err87 = {instancePath:instancePath+"/patch/public_keys/" + i16,keyword:"required",params:{missingProperty: "crv"}};
if(vErrors === null){
vErrors = [err87];
}
else {
vErrors.push(err87);
}
errors++;
}
if(data40.x === undefined){
const err88 = {instancePath:instancePath+"/patch/public_keys/" + i16,keyword:"required",params:{missingProperty: "x"}};
if(vErrors === null){
vErrors = [err88];
}
else {
vErrors.push(err88);
}
errors++;
}
if(data40.kty !== undefined){
let data41 = data40.kty;
if(typeof data41 !== "string"){
const err89 = {instancePath:instancePath+"/patch/public_keys/" + i16+"/kty",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err89];
}
else {
vErrors.push(err89);
}
errors++;
}
if(!((data41 === "OKP") || (data41 === "EC"))){
const err90 = {instancePath:instancePath+"/patch/public_keys/" + i16+"/kty",keyword:"enum",params:{allowedValues: schema25.properties.public_keys.items.properties.kty.enum}};
if(vErrors === null){
vErrors = [err90];
}
else {
vErrors.push(err90);
}
errors++;
}
}
if(data40.crv !== undefined){
let data42 = data40.crv;
if(typeof data42 !== "string"){
const err91 = {instancePath:instancePath+"/patch/public_keys/" + i16+"/crv",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err91];
}
else {
vErrors.push(err91);
}
errors++;
}
if(!((data42 === "Ed25519") || (data42 === "P-256"))){
const err92 = {instancePath:instancePath+"/patch/public_keys/" + i16+"/crv",keyword:"enum",params:{allowedValues: schema25.properties.public_keys.items.properties.crv.enum}};
if(vErrors === null){
vErrors = [err92];
}
else {
vErrors.push(err92);
}
errors++;
}
}
if(data40.x !== undefined){
if(typeof data40.x !== "string"){
const err93 = {instancePath:instancePath+"/patch/public_keys/" + i16+"/x",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err93];
}
else {
vErrors.push(err93);
}
errors++;
}
}
if(data40.y !== undefined){
if(typeof data40.y !== "string"){
const err94 = {instancePath:instancePath+"/patch/public_keys/" + i16+"/y",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err94];
}
else {
vErrors.push(err94);
}
errors++;
}
}
if(data40.kid !== undefined){
if(typeof data40.kid !== "string"){
const err95 = {instancePath:instancePath+"/patch/public_keys/" + i16+"/kid",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err95];
}
else {
vErrors.push(err95);
}
errors++;
}
}
if(data40.alg !== undefined){
let data46 = data40.alg;
if(typeof data46 !== "string"){
const err96 = {instancePath:instancePath+"/patch/public_keys/" + i16+"/alg",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err96];
}
else {
vErrors.push(err96);
}
errors++;
}
if(!(((data46 === "EdDSA") || (data46 === "Ed25519")) || (data46 === "ES256"))){
const err97 = {instancePath:instancePath+"/patch/public_keys/" + i16+"/alg",keyword:"enum",params:{allowedValues: schema25.properties.public_keys.items.properties.alg.enum}};
if(vErrors === null){
vErrors = [err97];
}
else {
vErrors.push(err97);
}
errors++;
}
}
if(data40.use !== undefined){
let data47 = data40.use;
if(typeof data47 !== "string"){
const err98 = {instancePath:instancePath+"/patch/public_keys/" + i16+"/use",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err98];
}
else {
vErrors.push(err98);
}
errors++;
}
if(!(data47 === "sig")){
const err99 = {instancePath:instancePath+"/patch/public_keys/" + i16+"/use",keyword:"enum",params:{allowedValues: schema25.properties.public_keys.items.properties.use.enum}};
if(vErrors === null){
vErrors = [err99];
}
else {
vErrors.push(err99);
}
errors++;
}
}
}
else {
const err100 = {instancePath:instancePath+"/patch/public_keys/" + i16,keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err100];
}
else {
vErrors.push(err100);
}
errors++;
}
}
}
}
if(data0.metadata !== undefined){
let data48 = data0.metadata;
if((!(data48 && typeof data48 == "object" && !Array.isArray(data48))) && (data48 !== null)){
const err101 = {instancePath:instancePath+"/patch/metadata",keyword:"type",params:{type: schema25.properties.metadata.type}};
if(vErrors === null){
vErrors = [err101];
}
else {
vErrors.push(err101);
}
errors++;
}
if(data48 && typeof data48 == "object" && !Array.isArray(data48)){
for(const key5 in data48){
let data49 = data48[key5];
if((typeof data49 !== "string") && (data49 !== null)){
const err102 = {instancePath:instancePath+"/patch/metadata/" + key5.replace(/~/g, "~0").replace(/\//g, "~1"),keyword:"type",params:{type: schema25.properties.metadata.additionalProperties.type}};
if(vErrors === null){
vErrors = [err102];
}
else {
vErrors.push(err102);
}
errors++;
}
if(typeof data49 === "string"){
if(data49.length > 500){
const err103 = {instancePath:instancePath+"/patch/metadata/" + key5.replace(/~/g, "~0").replace(/\//g, "~1"),keyword:"maxLength",params:{limit: 500}};
if(vErrors === null){
vErrors = [err103];
}
else {
vErrors.push(err103);
}
errors++;
}
}
}
}
}
}
else {
const err104 = {instancePath:instancePath+"/patch",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err104];
}
else {
vErrors.push(err104);
}
errors++;
}
}
if(data.intent !== undefined){
let data50 = data.intent;
if(data50 && typeof data50 == "object" && !Array.isArray(data50)){
if(data50.agent_id === undefined){
const err105 = {instancePath:instancePath+"/intent",keyword:"required",params:{missingProperty: "agent_id"}};
if(vErrors === null){
vErrors = [err105];
}
else {
vErrors.push(err105);
}
errors++;
}
if(data50.action === undefined){
const err106 = {instancePath:instancePath+"/intent",keyword:"required",params:{missingProperty: "action"}};
if(vErrors === null){
vErrors = [err106];
}
else {
vErrors.push(err106);
}
errors++;
}
for(const key6 in data50){
if(!(func2.call(schema29.properties, key6))){
const err107 = {instancePath:instancePath+"/intent",keyword:"additionalProperties",params:{additionalProperty: key6}};
if(vErrors === null){
vErrors = [err107];
}
else {
vErrors.push(err107);
}
errors++;
}
}
if(data50.agent_id !== undefined){
let data51 = data50.agent_id;
if(typeof data51 === "string"){
if(data51.length > 512){
const err108 = {instancePath:instancePath+"/intent/agent_id",keyword:"maxLength",params:{limit: 512}};
if(vErrors === null){
vErrors = [err108];
}
else {
vErrors.push(err108);
}
errors++;
}
if(data51.length < 1){
const err109 = {instancePath:instancePath+"/intent/agent_id",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err109];
}
else {
vErrors.push(err109);
}
errors++;
}
}
else {
const err110 = {instancePath:instancePath+"/intent/agent_id",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err110];
}
else {
vErrors.push(err110);
}
errors++;
}
}
if(data50.action !== undefined){
let data52 = data50.action;
if(typeof data52 === "string"){
if(data52.length > 256){
const err111 = {instancePath:instancePath+"/intent/action",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err111];
}
else {
vErrors.push(err111);
}
errors++;
}
if(data52.length < 1){
const err112 = {instancePath:instancePath+"/intent/action",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err112];
}
else {
vErrors.push(err112);
}
errors++;
}
}
else {
const err113 = {instancePath:instancePath+"/intent/action",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err113];
}
else {
vErrors.push(err113);
}
errors++;
}
}
if(data50.target !== undefined){
let data53 = data50.target;
if(typeof data53 === "string"){
if(data53.length > 512){
const err114 = {instancePath:instancePath+"/intent/target",keyword:"maxLength",params:{limit: 512}};
if(vErrors === null){
vErrors = [err114];
}
else {
vErrors.push(err114);
}
errors++;
}
}
else {
const err115 = {instancePath:instancePath+"/intent/target",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err115];
}
else {
vErrors.push(err115);
}
errors++;
}
}
if(data50.parameters !== undefined){
let data54 = data50.parameters;
if(!(data54 && typeof data54 == "object" && !Array.isArray(data54))){
const err116 = {instancePath:instancePath+"/intent/parameters",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err116];
}
else {
vErrors.push(err116);
}
errors++;
}
}
if(data50.proof !== undefined){
if(typeof data50.proof !== "string"){
const err117 = {instancePath:instancePath+"/intent/proof",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err117];
}
else {
vErrors.push(err117);
}
errors++;
}
}
if(data50.dry_run !== undefined){
if(typeof data50.dry_run !== "boolean"){
const err118 = {instancePath:instancePath+"/intent/dry_run",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err118];
}
else {
vErrors.push(err118);
}
errors++;
}
}
if(data50.approval_id !== undefined){
let data57 = data50.approval_id;
if(typeof data57 === "string"){
if(data57.length > 128){
const err119 = {instancePath:instancePath+"/intent/approval_id",keyword:"maxLength",params:{limit: 128}};
if(vErrors === null){
vErrors = [err119];
}
else {
vErrors.push(err119);
}
errors++;
}
if(data57.length < 1){
const err120 = {instancePath:instancePath+"/intent/approval_id",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err120];
}
else {
vErrors.push(err120);
}
errors++;
}
}
else {
const err121 = {instancePath:instancePath+"/intent/approval_id",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err121];
}
else {
vErrors.push(err121);
}
errors++;
}
}
if(data50.hold_seconds !== undefined){
let data58 = data50.hold_seconds;
if(!(((typeof data58 == "number") && (!(data58 % 1) && !isNaN(data58))) && (isFinite(data58)))){
const err122 = {instancePath:instancePath+"/intent/hold_seconds",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err122];
}
else {
vErrors.push(err122);
}
errors++;
}
if((typeof data58 == "number") && (isFinite(data58))){
if(data58 > 604800 || isNaN(data58)){
const err123 = {instancePath:instancePath+"/intent/hold_seconds",keyword:"maximum",params:{comparison: "<=", limit: 604800}};
if(vErrors === null){
vErrors = [err123];
}
else {
vErrors.push(err123);
}
errors++;
}
if(data58 < 1 || isNaN(data58)){
const err124 = {instancePath:instancePath+"/intent/hold_seconds",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err124];
}
else {
vErrors.push(err124);
}
errors++;
}
}
}
if(data50.subject !== undefined){
let data59 = data50.subject;
if(typeof data59 === "string"){
if(data59.length > 256){
const err125 = {instancePath:instancePath+"/intent/subject",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err125];
}
else {
vErrors.push(err125);
}
errors++;
}
if(data59.length < 1){
const err126 = {instancePath:instancePath+"/intent/subject",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err126];
}
else {
vErrors.push(err126);
}
errors++;
}
if(!pattern0.test(data59)){
const err127 = {instancePath:instancePath+"/intent/subject",keyword:"pattern",params:{pattern: "^(?:[^\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff]|[\\ud800-\\udbff][\\udc00-\\udfff])+$"}};
if(vErrors === null){
vErrors = [err127];
}
else {
vErrors.push(err127);
}
errors++;
}
}
else {
const err128 = {instancePath:instancePath+"/intent/subject",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err128];
}
else {
vErrors.push(err128);
}
errors++;
}
}
if(data50.permit !== undefined){
let data60 = data50.permit;
if(data60 && typeof data60 == "object" && !Array.isArray(data60)){
if(data60.audience === undefined){
const err129 = {instancePath:instancePath+"/intent/permit",keyword:"required",params:{missingProperty: "audience"}};
if(vErrors === null){
vErrors = [err129];
}
else {
vErrors.push(err129);
}
errors++;
}
for(const key7 in data60){
if(!(((key7 === "audience") || (key7 === "seconds")) || (key7 === "bind"))){
const err130 = {instancePath:instancePath+"/intent/permit",keyword:"additionalProperties",params:{additionalProperty: key7}};
if(vErrors === null){
vErrors = [err130];
}
else {
vErrors.push(err130);
}
errors++;
}
}
if(data60.audience !== undefined){
let data61 = data60.audience;
if(typeof data61 === "string"){
if(!pattern1.test(data61)){
const err131 = {instancePath:instancePath+"/intent/permit/audience",keyword:"pattern",params:{pattern: "^(?!test:)[!-~]{1,256}$"}};
if(vErrors === null){
vErrors = [err131];
}
else {
vErrors.push(err131);
}
errors++;
}
}
else {
const err132 = {instancePath:instancePath+"/intent/permit/audience",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err132];
}
else {
vErrors.push(err132);
}
errors++;
}
}
if(data60.seconds !== undefined){
let data62 = data60.seconds;
if(!(((typeof data62 == "number") && (!(data62 % 1) && !isNaN(data62))) && (isFinite(data62)))){
const err133 = {instancePath:instancePath+"/intent/permit/seconds",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err133];
}
else {
vErrors.push(err133);
}
errors++;
}
if((typeof data62 == "number") && (isFinite(data62))){
if(data62 > 60 || isNaN(data62)){
const err134 = {instancePath:instancePath+"/intent/permit/seconds",keyword:"maximum",params:{comparison: "<=", limit: 60}};
if(vErrors === null){
vErrors = [err134];
}
else {
vErrors.push(err134);
}
errors++;
}
if(data62 < 1 || isNaN(data62)){
const err135 = {instancePath:instancePath+"/intent/permit/seconds",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err135];
}
else {
vErrors.push(err135);
}
errors++;
}
}
}
if(data60.bind !== undefined){
if(typeof data60.bind !== "boolean"){
const err136 = {instancePath:instancePath+"/intent/permit/bind",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err136];
}
else {
vErrors.push(err136);
}
errors++;
}
}
}
else {
const err137 = {instancePath:instancePath+"/intent/permit",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err137];
}
else {
vErrors.push(err137);
}
errors++;
}
}
}
else {
const err138 = {instancePath:instancePath+"/intent",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err138];
}
else {
vErrors.push(err138);
}
errors++;
}
}
}
else {
const err139 = {instancePath,keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err139];
}
else {
vErrors.push(err139);
}
errors++;
}
validate26.errors = vErrors;
return errors === 0;
}

const ReplayRequest: Validator = validate27;
const schema30 = {"type":"object","description":"The verdicts to replay, by default of the last 30 days, and a patch. With from equal to to only the change is answered.","properties":{"patch":{"$ref":"PassportPatch"},"from":{"type":"string","maxLength":64,"description":"RFC 3339 instant; any offset in, UTC with milliseconds and Z out. A leap second (:60) is refused.","examples":["2026-11-20T12:00:00.000Z"]},"to":{"type":"string","maxLength":64,"description":"RFC 3339 instant; any offset in, UTC with milliseconds and Z out. A leap second (:60) is refused.","examples":["2026-11-20T12:00:00.000Z"]},"environment":{"type":"string","enum":["live","test"],"description":"Of the verdicts; default live."},"passport":{"type":"string","enum":["current","recorded"],"description":"The passports as they are, or the versions that each record names; recorded does not take a patch."},"examples":{"type":"integer","minimum":0,"maximum":100,"description":"The most examples of each kind; default 20."}},"required":[],"additionalProperties":false};

function validate27(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!((((((key0 === "patch") || (key0 === "from")) || (key0 === "to")) || (key0 === "environment")) || (key0 === "passport")) || (key0 === "examples"))){
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
if(data.patch !== undefined){
let data0 = data.patch;
if(data0 && typeof data0 == "object" && !Array.isArray(data0)){
for(const key1 in data0){
if(!(func2.call(schema25.properties, key1))){
const err1 = {instancePath:instancePath+"/patch",keyword:"additionalProperties",params:{additionalProperty: key1}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data0.allowed_actions !== undefined){
let data1 = data0.allowed_actions;
if(Array.isArray(data1)){
if(data1.length > 256){
const err2 = {instancePath:instancePath+"/patch/allowed_actions",keyword:"maxItems",params:{limit: 256}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
if(typeof data1[i0] !== "string"){
const err3 = {instancePath:instancePath+"/patch/allowed_actions/" + i0,keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
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
const err4 = {instancePath:instancePath+"/patch/allowed_actions",keyword:"uniqueItems",params:{i: i1, j: j0}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
break;
}
indices0[item0] = i1;
}
}
}
else {
const err5 = {instancePath:instancePath+"/patch/allowed_actions",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data0.monetary_limit_per_txn !== undefined){
let data3 = data0.monetary_limit_per_txn;
if((!((typeof data3 == "number") && (isFinite(data3)))) && (typeof data3 !== "string")){
const err6 = {instancePath:instancePath+"/patch/monetary_limit_per_txn",keyword:"type",params:{type: schema25.properties.monetary_limit_per_txn.type}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data0.denied_actions !== undefined){
let data4 = data0.denied_actions;
if((!(Array.isArray(data4))) && (data4 !== null)){
const err7 = {instancePath:instancePath+"/patch/denied_actions",keyword:"type",params:{type: schema25.properties.denied_actions.type}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(Array.isArray(data4)){
if(data4.length > 256){
const err8 = {instancePath:instancePath+"/patch/denied_actions",keyword:"maxItems",params:{limit: 256}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
const len1 = data4.length;
for(let i2=0; i2<len1; i2++){
if(typeof data4[i2] !== "string"){
const err9 = {instancePath:instancePath+"/patch/denied_actions/" + i2,keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
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
const err10 = {instancePath:instancePath+"/patch/denied_actions",keyword:"uniqueItems",params:{i: i3, j: j1}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
break;
}
indices1[item1] = i3;
}
}
}
}
if(data0.currency !== undefined){
let data6 = data0.currency;
if((typeof data6 !== "string") && (data6 !== null)){
const err11 = {instancePath:instancePath+"/patch/currency",keyword:"type",params:{type: schema25.properties.currency.type}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data0.allowed_targets !== undefined){
let data7 = data0.allowed_targets;
if((!(Array.isArray(data7))) && (data7 !== null)){
const err12 = {instancePath:instancePath+"/patch/allowed_targets",keyword:"type",params:{type: schema25.properties.allowed_targets.type}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if(Array.isArray(data7)){
if(data7.length > 256){
const err13 = {instancePath:instancePath+"/patch/allowed_targets",keyword:"maxItems",params:{limit: 256}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
const len2 = data7.length;
for(let i4=0; i4<len2; i4++){
let data8 = data7[i4];
if(typeof data8 === "string"){
if(data8.length > 512){
const err14 = {instancePath:instancePath+"/patch/allowed_targets/" + i4,keyword:"maxLength",params:{limit: 512}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
else {
const err15 = {instancePath:instancePath+"/patch/allowed_targets/" + i4,keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
let i5 = data7.length;
let j2;
if(i5 > 1){
const indices2 = {};
for(;i5--;){
let item2 = data7[i5];
if(typeof item2 !== "string"){
continue;
}
if(typeof indices2[item2] == "number"){
j2 = indices2[item2];
const err16 = {instancePath:instancePath+"/patch/allowed_targets",keyword:"uniqueItems",params:{i: i5, j: j2}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
break;
}
indices2[item2] = i5;
}
}
}
}
if(data0.monetary_actions !== undefined){
let data9 = data0.monetary_actions;
if((!(Array.isArray(data9))) && (data9 !== null)){
const err17 = {instancePath:instancePath+"/patch/monetary_actions",keyword:"type",params:{type: schema25.properties.monetary_actions.type}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
if(Array.isArray(data9)){
if(data9.length > 256){
const err18 = {instancePath:instancePath+"/patch/monetary_actions",keyword:"maxItems",params:{limit: 256}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
const len3 = data9.length;
for(let i6=0; i6<len3; i6++){
if(typeof data9[i6] !== "string"){
const err19 = {instancePath:instancePath+"/patch/monetary_actions/" + i6,keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
let i7 = data9.length;
let j3;
if(i7 > 1){
const indices3 = {};
for(;i7--;){
let item3 = data9[i7];
if(typeof item3 !== "string"){
continue;
}
if(typeof indices3[item3] == "number"){
j3 = indices3[item3];
const err20 = {instancePath:instancePath+"/patch/monetary_actions",keyword:"uniqueItems",params:{i: i7, j: j3}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
break;
}
indices3[item3] = i7;
}
}
}
}
if(data0.budgets !== undefined){
let data11 = data0.budgets;
if((!(Array.isArray(data11))) && (data11 !== null)){
const err21 = {instancePath:instancePath+"/patch/budgets",keyword:"type",params:{type: schema25.properties.budgets.type}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
if(Array.isArray(data11)){
if(data11.length > 8){
const err22 = {instancePath:instancePath+"/patch/budgets",keyword:"maxItems",params:{limit: 8}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
const len4 = data11.length;
for(let i8=0; i8<len4; i8++){
let data12 = data11[i8];
if(data12 && typeof data12 == "object" && !Array.isArray(data12)){
if(data12.window === undefined){
const err23 = {instancePath:instancePath+"/patch/budgets/" + i8,keyword:"required",params:{missingProperty: "window"}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
for(const key2 in data12){
if(!(((((key2 === "name") || (key2 === "window")) || (key2 === "limit")) || (key2 === "count")) || (key2 === "actions"))){
const err24 = {instancePath:instancePath+"/patch/budgets/" + i8,keyword:"additionalProperties",params:{additionalProperty: key2}};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
if(data12.name !== undefined){
if(typeof data12.name !== "string"){
const err25 = {instancePath:instancePath+"/patch/budgets/" + i8+"/name",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
if(data12.window !== undefined){
let data14 = data12.window;
if(typeof data14 !== "string"){
const err26 = {instancePath:instancePath+"/patch/budgets/" + i8+"/window",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
if(!((((((((((data14 === "hour") || (data14 === "day")) || (data14 === "week")) || (data14 === "month")) || (data14 === "year")) || (data14 === "lifetime")) || (data14 === "rolling_hour")) || (data14 === "rolling_day")) || (data14 === "rolling_week")) || (data14 === "rolling_month"))){
const err27 = {instancePath:instancePath+"/patch/budgets/" + i8+"/window",keyword:"enum",params:{allowedValues: schema25.properties.budgets.items.properties.window.enum}};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
if(data12.limit !== undefined){
let data15 = data12.limit;
if((!((typeof data15 == "number") && (isFinite(data15)))) && (typeof data15 !== "string")){
const err28 = {instancePath:instancePath+"/patch/budgets/" + i8+"/limit",keyword:"type",params:{type: schema25.properties.budgets.items.properties.limit.type}};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
if(data12.count !== undefined){
let data16 = data12.count;
if(!(((typeof data16 == "number") && (!(data16 % 1) && !isNaN(data16))) && (isFinite(data16)))){
const err29 = {instancePath:instancePath+"/patch/budgets/" + i8+"/count",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
if((typeof data16 == "number") && (isFinite(data16))){
if(data16 > 1000000000 || isNaN(data16)){
const err30 = {instancePath:instancePath+"/patch/budgets/" + i8+"/count",keyword:"maximum",params:{comparison: "<=", limit: 1000000000}};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
if(data16 < 1 || isNaN(data16)){
const err31 = {instancePath:instancePath+"/patch/budgets/" + i8+"/count",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
}
if(data12.actions !== undefined){
let data17 = data12.actions;
if(Array.isArray(data17)){
if(data17.length > 256){
const err32 = {instancePath:instancePath+"/patch/budgets/" + i8+"/actions",keyword:"maxItems",params:{limit: 256}};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
if(data17.length < 1){
const err33 = {instancePath:instancePath+"/patch/budgets/" + i8+"/actions",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
const len5 = data17.length;
for(let i9=0; i9<len5; i9++){
if(typeof data17[i9] !== "string"){
const err34 = {instancePath:instancePath+"/patch/budgets/" + i8+"/actions/" + i9,keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
let i10 = data17.length;
let j4;
if(i10 > 1){
const indices4 = {};
for(;i10--;){
let item4 = data17[i10];
if(typeof item4 !== "string"){
continue;
}
if(typeof indices4[item4] == "number"){
j4 = indices4[item4];
const err35 = {instancePath:instancePath+"/patch/budgets/" + i8+"/actions",keyword:"uniqueItems",params:{i: i10, j: j4}};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
break;
}
indices4[item4] = i10;
}
}
}
else {
const err36 = {instancePath:instancePath+"/patch/budgets/" + i8+"/actions",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
}
else {
const err37 = {instancePath:instancePath+"/patch/budgets/" + i8,keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
}
}
}
if(data0.approval !== undefined){
let data19 = data0.approval;
if((!(data19 && typeof data19 == "object" && !Array.isArray(data19))) && (data19 !== null)){
const err38 = {instancePath:instancePath+"/patch/approval",keyword:"type",params:{type: schema25.properties.approval.type}};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
if(data19 && typeof data19 == "object" && !Array.isArray(data19)){
for(const key3 in data19){
if(!((((((key3 === "above") || (key3 === "actions")) || (key3 === "seconds")) || (key3 === "count")) || (key3 === "by")) || (key3 === "changes"))){
const err39 = {instancePath:instancePath+"/patch/approval",keyword:"additionalProperties",params:{additionalProperty: key3}};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
}
if(data19.above !== undefined){
let data20 = data19.above;
if(((!((typeof data20 == "number") && (isFinite(data20)))) && (typeof data20 !== "string")) && (data20 !== null)){
const err40 = {instancePath:instancePath+"/patch/approval/above",keyword:"type",params:{type: schema25.properties.approval.properties.above.type}};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
}
if(data19.actions !== undefined){
let data21 = data19.actions;
if((!(Array.isArray(data21))) && (data21 !== null)){
const err41 = {instancePath:instancePath+"/patch/approval/actions",keyword:"type",params:{type: schema25.properties.approval.properties.actions.type}};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
if(Array.isArray(data21)){
if(data21.length > 256){
const err42 = {instancePath:instancePath+"/patch/approval/actions",keyword:"maxItems",params:{limit: 256}};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
if(data21.length < 1){
const err43 = {instancePath:instancePath+"/patch/approval/actions",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
const len6 = data21.length;
for(let i11=0; i11<len6; i11++){
if(typeof data21[i11] !== "string"){
const err44 = {instancePath:instancePath+"/patch/approval/actions/" + i11,keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
}
let i12 = data21.length;
let j5;
if(i12 > 1){
const indices5 = {};
for(;i12--;){
let item5 = data21[i12];
if(typeof item5 !== "string"){
continue;
}
if(typeof indices5[item5] == "number"){
j5 = indices5[item5];
const err45 = {instancePath:instancePath+"/patch/approval/actions",keyword:"uniqueItems",params:{i: i12, j: j5}};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
break;
}
indices5[item5] = i12;
}
}
}
}
if(data19.seconds !== undefined){
let data23 = data19.seconds;
if((!(((typeof data23 == "number") && (!(data23 % 1) && !isNaN(data23))) && (isFinite(data23)))) && (data23 !== null)){
const err46 = {instancePath:instancePath+"/patch/approval/seconds",keyword:"type",params:{type: schema25.properties.approval.properties.seconds.type}};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
if((typeof data23 == "number") && (isFinite(data23))){
if(data23 > 604800 || isNaN(data23)){
const err47 = {instancePath:instancePath+"/patch/approval/seconds",keyword:"maximum",params:{comparison: "<=", limit: 604800}};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
if(data23 < 60 || isNaN(data23)){
const err48 = {instancePath:instancePath+"/patch/approval/seconds",keyword:"minimum",params:{comparison: ">=", limit: 60}};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
}
}
if(data19.count !== undefined){
let data24 = data19.count;
if((!(((typeof data24 == "number") && (!(data24 % 1) && !isNaN(data24))) && (isFinite(data24)))) && (data24 !== null)){
const err49 = {instancePath:instancePath+"/patch/approval/count",keyword:"type",params:{type: schema25.properties.approval.properties.count.type}};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
if((typeof data24 == "number") && (isFinite(data24))){
if(data24 > 3 || isNaN(data24)){
const err50 = {instancePath:instancePath+"/patch/approval/count",keyword:"maximum",params:{comparison: "<=", limit: 3}};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
if(data24 < 1 || isNaN(data24)){
const err51 = {instancePath:instancePath+"/patch/approval/count",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
}
}
if(data19.by !== undefined){
let data25 = data19.by;
if((typeof data25 !== "string") && (data25 !== null)){
const err52 = {instancePath:instancePath+"/patch/approval/by",keyword:"type",params:{type: schema25.properties.approval.properties.by.type}};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
if(!(((data25 === "anyone") || (data25 === "another")) || (data25 === null))){
const err53 = {instancePath:instancePath+"/patch/approval/by",keyword:"enum",params:{allowedValues: schema25.properties.approval.properties.by.enum}};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
}
if(data19.changes !== undefined){
let data26 = data19.changes;
if((typeof data26 !== "boolean") && (data26 !== null)){
const err54 = {instancePath:instancePath+"/patch/approval/changes",keyword:"type",params:{type: schema25.properties.approval.properties.changes.type}};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
}
}
}
}
if(data0.conditions !== undefined){
let data27 = data0.conditions;
if((!(Array.isArray(data27))) && (data27 !== null)){
const err55 = {instancePath:instancePath+"/patch/conditions",keyword:"type",params:{type: schema25.properties.conditions.type}};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
}
if(Array.isArray(data27)){
if(data27.length > 16){
const err56 = {instancePath:instancePath+"/patch/conditions",keyword:"maxItems",params:{limit: 16}};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
}
}
}
if(data0.pace !== undefined){
let data28 = data0.pace;
if((!(Array.isArray(data28))) && (data28 !== null)){
const err57 = {instancePath:instancePath+"/patch/pace",keyword:"type",params:{type: schema25.properties.pace.type}};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
if(Array.isArray(data28)){
if(data28.length > 4){
const err58 = {instancePath:instancePath+"/patch/pace",keyword:"maxItems",params:{limit: 4}};
if(vErrors === null){
vErrors = [err58];
}
else {
vErrors.push(err58);
}
errors++;
}
const len7 = data28.length;
for(let i13=0; i13<len7; i13++){
let data29 = data28[i13];
if(data29 && typeof data29 == "object" && !Array.isArray(data29)){
if(data29.max === undefined){
const err59 = {instancePath:instancePath+"/patch/pace/" + i13,keyword:"required",params:{missingProperty: "max"}};
if(vErrors === null){
vErrors = [err59];
}
else {
vErrors.push(err59);
}
errors++;
}
if(data29.seconds === undefined){
const err60 = {instancePath:instancePath+"/patch/pace/" + i13,keyword:"required",params:{missingProperty: "seconds"}};
if(vErrors === null){
vErrors = [err60];
}
else {
vErrors.push(err60);
}
errors++;
}
for(const key4 in data29){
if(!((((key4 === "name") || (key4 === "actions")) || (key4 === "max")) || (key4 === "seconds"))){
const err61 = {instancePath:instancePath+"/patch/pace/" + i13,keyword:"additionalProperties",params:{additionalProperty: key4}};
if(vErrors === null){
vErrors = [err61];
}
else {
vErrors.push(err61);
}
errors++;
}
}
if(data29.name !== undefined){
if(typeof data29.name !== "string"){
const err62 = {instancePath:instancePath+"/patch/pace/" + i13+"/name",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err62];
}
else {
vErrors.push(err62);
}
errors++;
}
}
if(data29.actions !== undefined){
let data31 = data29.actions;
if(Array.isArray(data31)){
if(data31.length > 256){
const err63 = {instancePath:instancePath+"/patch/pace/" + i13+"/actions",keyword:"maxItems",params:{limit: 256}};
if(vErrors === null){
vErrors = [err63];
}
else {
vErrors.push(err63);
}
errors++;
}
if(data31.length < 1){
const err64 = {instancePath:instancePath+"/patch/pace/" + i13+"/actions",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err64];
}
else {
vErrors.push(err64);
}
errors++;
}
const len8 = data31.length;
for(let i14=0; i14<len8; i14++){
if(typeof data31[i14] !== "string"){
const err65 = {instancePath:instancePath+"/patch/pace/" + i13+"/actions/" + i14,keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err65];
}
else {
vErrors.push(err65);
}
errors++;
}
}
let i15 = data31.length;
let j6;
if(i15 > 1){
const indices6 = {};
for(;i15--;){
let item6 = data31[i15];
if(typeof item6 !== "string"){
continue;
}
if(typeof indices6[item6] == "number"){
j6 = indices6[item6];
const err66 = {instancePath:instancePath+"/patch/pace/" + i13+"/actions",keyword:"uniqueItems",params:{i: i15, j: j6}};
if(vErrors === null){
vErrors = [err66];
}
else {
vErrors.push(err66);
}
errors++;
break;
}
indices6[item6] = i15;
}
}
}
else {
const err67 = {instancePath:instancePath+"/patch/pace/" + i13+"/actions",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err67];
}
else {
vErrors.push(err67);
}
errors++;
}
}
if(data29.max !== undefined){
let data33 = data29.max;
if(!(((typeof data33 == "number") && (!(data33 % 1) && !isNaN(data33))) && (isFinite(data33)))){
const err68 = {instancePath:instancePath+"/patch/pace/" + i13+"/max",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err68];
}
else {
vErrors.push(err68);
}
errors++;
}
if((typeof data33 == "number") && (isFinite(data33))){
if(data33 > 10000 || isNaN(data33)){
const err69 = {instancePath:instancePath+"/patch/pace/" + i13+"/max",keyword:"maximum",params:{comparison: "<=", limit: 10000}};
if(vErrors === null){
vErrors = [err69];
}
else {
vErrors.push(err69);
}
errors++;
}
if(data33 < 1 || isNaN(data33)){
const err70 = {instancePath:instancePath+"/patch/pace/" + i13+"/max",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err70];
}
else {
vErrors.push(err70);
}
errors++;
}
}
}
if(data29.seconds !== undefined){
let data34 = data29.seconds;
if(!(((typeof data34 == "number") && (!(data34 % 1) && !isNaN(data34))) && (isFinite(data34)))){
const err71 = {instancePath:instancePath+"/patch/pace/" + i13+"/seconds",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err71];
}
else {
vErrors.push(err71);
}
errors++;
}
if((typeof data34 == "number") && (isFinite(data34))){
if(data34 > 604800 || isNaN(data34)){
const err72 = {instancePath:instancePath+"/patch/pace/" + i13+"/seconds",keyword:"maximum",params:{comparison: "<=", limit: 604800}};
if(vErrors === null){
vErrors = [err72];
}
else {
vErrors.push(err72);
}
errors++;
}
if(data34 < 1 || isNaN(data34)){
const err73 = {instancePath:instancePath+"/patch/pace/" + i13+"/seconds",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err73];
}
else {
vErrors.push(err73);
}
errors++;
}
}
}
}
else {
const err74 = {instancePath:instancePath+"/patch/pace/" + i13,keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err74];
}
else {
vErrors.push(err74);
}
errors++;
}
}
}
}
if(data0.not_before !== undefined){
let data35 = data0.not_before;
if((typeof data35 !== "string") && (data35 !== null)){
const err75 = {instancePath:instancePath+"/patch/not_before",keyword:"type",params:{type: schema25.properties.not_before.type}};
if(vErrors === null){
vErrors = [err75];
}
else {
vErrors.push(err75);
}
errors++;
}
if(typeof data35 === "string"){
if(data35.length > 64){
const err76 = {instancePath:instancePath+"/patch/not_before",keyword:"maxLength",params:{limit: 64}};
if(vErrors === null){
vErrors = [err76];
}
else {
vErrors.push(err76);
}
errors++;
}
}
}
if(data0.expires_at !== undefined){
let data36 = data0.expires_at;
if((typeof data36 !== "string") && (data36 !== null)){
const err77 = {instancePath:instancePath+"/patch/expires_at",keyword:"type",params:{type: schema25.properties.expires_at.type}};
if(vErrors === null){
vErrors = [err77];
}
else {
vErrors.push(err77);
}
errors++;
}
if(typeof data36 === "string"){
if(data36.length > 64){
const err78 = {instancePath:instancePath+"/patch/expires_at",keyword:"maxLength",params:{limit: 64}};
if(vErrors === null){
vErrors = [err78];
}
else {
vErrors.push(err78);
}
errors++;
}
}
}
if(data0.proof !== undefined){
let data37 = data0.proof;
if((typeof data37 !== "string") && (data37 !== null)){
const err79 = {instancePath:instancePath+"/patch/proof",keyword:"type",params:{type: schema25.properties.proof.type}};
if(vErrors === null){
vErrors = [err79];
}
else {
vErrors.push(err79);
}
errors++;
}
if(!((((data37 === "optional") || (data37 === "identity")) || (data37 === "intent")) || (data37 === null))){
const err80 = {instancePath:instancePath+"/patch/proof",keyword:"enum",params:{allowedValues: schema25.properties.proof.enum}};
if(vErrors === null){
vErrors = [err80];
}
else {
vErrors.push(err80);
}
errors++;
}
}
if(data0.description !== undefined){
let data38 = data0.description;
if((typeof data38 !== "string") && (data38 !== null)){
const err81 = {instancePath:instancePath+"/patch/description",keyword:"type",params:{type: schema25.properties.description.type}};
if(vErrors === null){
vErrors = [err81];
}
else {
vErrors.push(err81);
}
errors++;
}
if(typeof data38 === "string"){
if(data38.length > 500){
const err82 = {instancePath:instancePath+"/patch/description",keyword:"maxLength",params:{limit: 500}};
if(vErrors === null){
vErrors = [err82];
}
else {
vErrors.push(err82);
}
errors++;
}
}
}
if(data0.public_keys !== undefined){
let data39 = data0.public_keys;
if((!(Array.isArray(data39))) && (data39 !== null)){
const err83 = {instancePath:instancePath+"/patch/public_keys",keyword:"type",params:{type: schema25.properties.public_keys.type}};
if(vErrors === null){
vErrors = [err83];
}
else {
vErrors.push(err83);
}
errors++;
}
if(Array.isArray(data39)){
if(data39.length > 4){
const err84 = {instancePath:instancePath+"/patch/public_keys",keyword:"maxItems",params:{limit: 4}};
if(vErrors === null){
vErrors = [err84];
}
else {
vErrors.push(err84);
}
errors++;
}
const len9 = data39.length;
for(let i16=0; i16<len9; i16++){
let data40 = data39[i16];
if(data40 && typeof data40 == "object" && !Array.isArray(data40)){
if(data40.kty === undefined){
const err85 = {instancePath:instancePath+"/patch/public_keys/" + i16,keyword:"required",params:{missingProperty: "kty"}};
if(vErrors === null){
vErrors = [err85];
}
else {
vErrors.push(err85);
}
errors++;
}
if(data40.crv === undefined){
const err86 = {instancePath:instancePath+"/patch/public_keys/" + i16,keyword:"required",params:{missingProperty: "crv"}};
if(vErrors === null){
vErrors = [err86];
}
else {
vErrors.push(err86);
}
errors++;
}
if(data40.x === undefined){
const err87 = {instancePath:instancePath+"/patch/public_keys/" + i16,keyword:"required",params:{missingProperty: "x"}};
if(vErrors === null){
vErrors = [err87];
}
else {
vErrors.push(err87);
}
errors++;
}
if(data40.kty !== undefined){
let data41 = data40.kty;
if(typeof data41 !== "string"){
const err88 = {instancePath:instancePath+"/patch/public_keys/" + i16+"/kty",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err88];
}
else {
vErrors.push(err88);
}
errors++;
}
if(!((data41 === "OKP") || (data41 === "EC"))){
const err89 = {instancePath:instancePath+"/patch/public_keys/" + i16+"/kty",keyword:"enum",params:{allowedValues: schema25.properties.public_keys.items.properties.kty.enum}};
if(vErrors === null){
vErrors = [err89];
}
else {
vErrors.push(err89);
}
errors++;
}
}
if(data40.crv !== undefined){
let data42 = data40.crv;
if(typeof data42 !== "string"){
const err90 = {instancePath:instancePath+"/patch/public_keys/" + i16+"/crv",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err90];
}
else {
vErrors.push(err90);
}
errors++;
}
if(!((data42 === "Ed25519") || (data42 === "P-256"))){
const err91 = {instancePath:instancePath+"/patch/public_keys/" + i16+"/crv",keyword:"enum",params:{allowedValues: schema25.properties.public_keys.items.properties.crv.enum}};
if(vErrors === null){
vErrors = [err91];
}
else {
vErrors.push(err91);
}
errors++;
}
}
if(data40.x !== undefined){
if(typeof data40.x !== "string"){
const err92 = {instancePath:instancePath+"/patch/public_keys/" + i16+"/x",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err92];
}
else {
vErrors.push(err92);
}
errors++;
}
}
if(data40.y !== undefined){
if(typeof data40.y !== "string"){
const err93 = {instancePath:instancePath+"/patch/public_keys/" + i16+"/y",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err93];
}
else {
vErrors.push(err93);
}
errors++;
}
}
if(data40.kid !== undefined){
if(typeof data40.kid !== "string"){
const err94 = {instancePath:instancePath+"/patch/public_keys/" + i16+"/kid",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err94];
}
else {
vErrors.push(err94);
}
errors++;
}
}
if(data40.alg !== undefined){
let data46 = data40.alg;
if(typeof data46 !== "string"){
const err95 = {instancePath:instancePath+"/patch/public_keys/" + i16+"/alg",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err95];
}
else {
vErrors.push(err95);
}
errors++;
}
if(!(((data46 === "EdDSA") || (data46 === "Ed25519")) || (data46 === "ES256"))){
const err96 = {instancePath:instancePath+"/patch/public_keys/" + i16+"/alg",keyword:"enum",params:{allowedValues: schema25.properties.public_keys.items.properties.alg.enum}};
if(vErrors === null){
vErrors = [err96];
}
else {
vErrors.push(err96);
}
errors++;
}
}
if(data40.use !== undefined){
let data47 = data40.use;
if(typeof data47 !== "string"){
const err97 = {instancePath:instancePath+"/patch/public_keys/" + i16+"/use",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err97];
}
else {
vErrors.push(err97);
}
errors++;
}
if(!(data47 === "sig")){
const err98 = {instancePath:instancePath+"/patch/public_keys/" + i16+"/use",keyword:"enum",params:{allowedValues: schema25.properties.public_keys.items.properties.use.enum}};
if(vErrors === null){
vErrors = [err98];
}
else {
vErrors.push(err98);
}
errors++;
}
}
}
else {
const err99 = {instancePath:instancePath+"/patch/public_keys/" + i16,keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err99];
}
else {
vErrors.push(err99);
}
errors++;
}
}
}
}
if(data0.metadata !== undefined){
let data48 = data0.metadata;
if((!(data48 && typeof data48 == "object" && !Array.isArray(data48))) && (data48 !== null)){
const err100 = {instancePath:instancePath+"/patch/metadata",keyword:"type",params:{type: schema25.properties.metadata.type}};
if(vErrors === null){
vErrors = [err100];
}
else {
vErrors.push(err100);
}
errors++;
}
if(data48 && typeof data48 == "object" && !Array.isArray(data48)){
for(const key5 in data48){
let data49 = data48[key5];
if((typeof data49 !== "string") && (data49 !== null)){
const err101 = {instancePath:instancePath+"/patch/metadata/" + key5.replace(/~/g, "~0").replace(/\//g, "~1"),keyword:"type",params:{type: schema25.properties.metadata.additionalProperties.type}};
if(vErrors === null){
vErrors = [err101];
}
else {
vErrors.push(err101);
}
errors++;
}
if(typeof data49 === "string"){
if(data49.length > 500){
const err102 = {instancePath:instancePath+"/patch/metadata/" + key5.replace(/~/g, "~0").replace(/\//g, "~1"),keyword:"maxLength",params:{limit: 500}};
if(vErrors === null){
vErrors = [err102];
}
else {
vErrors.push(err102);
}
errors++;
}
}
}
}
}
}
else {
const err103 = {instancePath:instancePath+"/patch",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err103];
}
else {
vErrors.push(err103);
}
errors++;
}
}
if(data.from !== undefined){
let data50 = data.from;
if(typeof data50 === "string"){
if(data50.length > 64){
const err104 = {instancePath:instancePath+"/from",keyword:"maxLength",params:{limit: 64}};
if(vErrors === null){
vErrors = [err104];
}
else {
vErrors.push(err104);
}
errors++;
}
}
else {
const err105 = {instancePath:instancePath+"/from",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err105];
}
else {
vErrors.push(err105);
}
errors++;
}
}
if(data.to !== undefined){
let data51 = data.to;
if(typeof data51 === "string"){
if(data51.length > 64){
const err106 = {instancePath:instancePath+"/to",keyword:"maxLength",params:{limit: 64}};
if(vErrors === null){
vErrors = [err106];
}
else {
vErrors.push(err106);
}
errors++;
}
}
else {
const err107 = {instancePath:instancePath+"/to",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err107];
}
else {
vErrors.push(err107);
}
errors++;
}
}
if(data.environment !== undefined){
let data52 = data.environment;
if(typeof data52 !== "string"){
const err108 = {instancePath:instancePath+"/environment",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err108];
}
else {
vErrors.push(err108);
}
errors++;
}
if(!((data52 === "live") || (data52 === "test"))){
const err109 = {instancePath:instancePath+"/environment",keyword:"enum",params:{allowedValues: schema30.properties.environment.enum}};
if(vErrors === null){
vErrors = [err109];
}
else {
vErrors.push(err109);
}
errors++;
}
}
if(data.passport !== undefined){
let data53 = data.passport;
if(typeof data53 !== "string"){
const err110 = {instancePath:instancePath+"/passport",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err110];
}
else {
vErrors.push(err110);
}
errors++;
}
if(!((data53 === "current") || (data53 === "recorded"))){
const err111 = {instancePath:instancePath+"/passport",keyword:"enum",params:{allowedValues: schema30.properties.passport.enum}};
if(vErrors === null){
vErrors = [err111];
}
else {
vErrors.push(err111);
}
errors++;
}
}
if(data.examples !== undefined){
let data54 = data.examples;
if(!(((typeof data54 == "number") && (!(data54 % 1) && !isNaN(data54))) && (isFinite(data54)))){
const err112 = {instancePath:instancePath+"/examples",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err112];
}
else {
vErrors.push(err112);
}
errors++;
}
if((typeof data54 == "number") && (isFinite(data54))){
if(data54 > 100 || isNaN(data54)){
const err113 = {instancePath:instancePath+"/examples",keyword:"maximum",params:{comparison: "<=", limit: 100}};
if(vErrors === null){
vErrors = [err113];
}
else {
vErrors.push(err113);
}
errors++;
}
if(data54 < 0 || isNaN(data54)){
const err114 = {instancePath:instancePath+"/examples",keyword:"minimum",params:{comparison: ">=", limit: 0}};
if(vErrors === null){
vErrors = [err114];
}
else {
vErrors.push(err114);
}
errors++;
}
}
}
}
else {
const err115 = {instancePath,keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err115];
}
else {
vErrors.push(err115);
}
errors++;
}
validate27.errors = vErrors;
return errors === 0;
}

const SignRequest: Validator = validate28;
const schema32 = {"type":"object","description":"How long the token is valid, and which key of the agent it names.","properties":{"ttl_seconds":{"type":"integer","minimum":60,"maximum":86400,"description":"Seconds that the token is valid, 3,600 by default unless the service is set up otherwise; it never outlives the passport."},"kid":{"type":"string","minLength":43,"maxLength":43,"description":"RFC 7638 thumbprint: SHA-256 in base64url."}},"required":[],"additionalProperties":false};

function validate28(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!((key0 === "ttl_seconds") || (key0 === "kid"))){
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
if(data.ttl_seconds !== undefined){
let data0 = data.ttl_seconds;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
const err1 = {instancePath:instancePath+"/ttl_seconds",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 86400 || isNaN(data0)){
const err2 = {instancePath:instancePath+"/ttl_seconds",keyword:"maximum",params:{comparison: "<=", limit: 86400}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data0 < 60 || isNaN(data0)){
const err3 = {instancePath:instancePath+"/ttl_seconds",keyword:"minimum",params:{comparison: ">=", limit: 60}};
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
if(data.kid !== undefined){
let data1 = data.kid;
if(typeof data1 === "string"){
if(data1.length > 43){
const err4 = {instancePath:instancePath+"/kid",keyword:"maxLength",params:{limit: 43}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data1.length < 43){
const err5 = {instancePath:instancePath+"/kid",keyword:"minLength",params:{limit: 43}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
else {
const err6 = {instancePath:instancePath+"/kid",keyword:"type",params:{type: "string"}};
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
validate28.errors = vErrors;
return errors === 0;
}

const Intent: Validator = validate29;

function validate29(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
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
if(!(func2.call(schema29.properties, key0))){
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
if(data.proof !== undefined){
if(typeof data.proof !== "string"){
const err12 = {instancePath:instancePath+"/proof",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data.dry_run !== undefined){
if(typeof data.dry_run !== "boolean"){
const err13 = {instancePath:instancePath+"/dry_run",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
if(data.approval_id !== undefined){
let data6 = data.approval_id;
if(typeof data6 === "string"){
if(data6.length > 128){
const err14 = {instancePath:instancePath+"/approval_id",keyword:"maxLength",params:{limit: 128}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
if(data6.length < 1){
const err15 = {instancePath:instancePath+"/approval_id",keyword:"minLength",params:{limit: 1}};
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
const err16 = {instancePath:instancePath+"/approval_id",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data.hold_seconds !== undefined){
let data7 = data.hold_seconds;
if(!(((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7))) && (isFinite(data7)))){
const err17 = {instancePath:instancePath+"/hold_seconds",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
if((typeof data7 == "number") && (isFinite(data7))){
if(data7 > 604800 || isNaN(data7)){
const err18 = {instancePath:instancePath+"/hold_seconds",keyword:"maximum",params:{comparison: "<=", limit: 604800}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
if(data7 < 1 || isNaN(data7)){
const err19 = {instancePath:instancePath+"/hold_seconds",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
}
if(data.subject !== undefined){
let data8 = data.subject;
if(typeof data8 === "string"){
if(data8.length > 256){
const err20 = {instancePath:instancePath+"/subject",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
if(data8.length < 1){
const err21 = {instancePath:instancePath+"/subject",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
if(!pattern0.test(data8)){
const err22 = {instancePath:instancePath+"/subject",keyword:"pattern",params:{pattern: "^(?:[^\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff]|[\\ud800-\\udbff][\\udc00-\\udfff])+$"}};
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
const err23 = {instancePath:instancePath+"/subject",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
if(data.permit !== undefined){
let data9 = data.permit;
if(data9 && typeof data9 == "object" && !Array.isArray(data9)){
if(data9.audience === undefined){
const err24 = {instancePath:instancePath+"/permit",keyword:"required",params:{missingProperty: "audience"}};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
for(const key1 in data9){
if(!(((key1 === "audience") || (key1 === "seconds")) || (key1 === "bind"))){
const err25 = {instancePath:instancePath+"/permit",keyword:"additionalProperties",params:{additionalProperty: key1}};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
if(data9.audience !== undefined){
let data10 = data9.audience;
if(typeof data10 === "string"){
if(!pattern1.test(data10)){
const err26 = {instancePath:instancePath+"/permit/audience",keyword:"pattern",params:{pattern: "^(?!test:)[!-~]{1,256}$"}};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
else {
const err27 = {instancePath:instancePath+"/permit/audience",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
if(data9.seconds !== undefined){
let data11 = data9.seconds;
if(!(((typeof data11 == "number") && (!(data11 % 1) && !isNaN(data11))) && (isFinite(data11)))){
const err28 = {instancePath:instancePath+"/permit/seconds",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
if((typeof data11 == "number") && (isFinite(data11))){
if(data11 > 60 || isNaN(data11)){
const err29 = {instancePath:instancePath+"/permit/seconds",keyword:"maximum",params:{comparison: "<=", limit: 60}};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
if(data11 < 1 || isNaN(data11)){
const err30 = {instancePath:instancePath+"/permit/seconds",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
}
if(data9.bind !== undefined){
if(typeof data9.bind !== "boolean"){
const err31 = {instancePath:instancePath+"/permit/bind",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
}
else {
const err32 = {instancePath:instancePath+"/permit",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
}
}
else {
const err33 = {instancePath,keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
validate29.errors = vErrors;
return errors === 0;
}

const IntentBatch: Validator = validate30;
const schema34 = {"type":"object","description":"One to a hundred intents, answered in their order.","properties":{"intents":{"type":"array","items":{"$ref":"Intent"},"minItems":1,"maxItems":100}},"required":["intents"],"additionalProperties":false};

function validate30(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
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
if(!(func2.call(schema29.properties, key1))){
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
if(data1.proof !== undefined){
if(typeof data1.proof !== "string"){
const err16 = {instancePath:instancePath+"/intents/" + i0+"/proof",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
}
if(data1.dry_run !== undefined){
if(typeof data1.dry_run !== "boolean"){
const err17 = {instancePath:instancePath+"/intents/" + i0+"/dry_run",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data1.approval_id !== undefined){
let data8 = data1.approval_id;
if(typeof data8 === "string"){
if(data8.length > 128){
const err18 = {instancePath:instancePath+"/intents/" + i0+"/approval_id",keyword:"maxLength",params:{limit: 128}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
if(data8.length < 1){
const err19 = {instancePath:instancePath+"/intents/" + i0+"/approval_id",keyword:"minLength",params:{limit: 1}};
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
const err20 = {instancePath:instancePath+"/intents/" + i0+"/approval_id",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
if(data1.hold_seconds !== undefined){
let data9 = data1.hold_seconds;
if(!(((typeof data9 == "number") && (!(data9 % 1) && !isNaN(data9))) && (isFinite(data9)))){
const err21 = {instancePath:instancePath+"/intents/" + i0+"/hold_seconds",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
if((typeof data9 == "number") && (isFinite(data9))){
if(data9 > 604800 || isNaN(data9)){
const err22 = {instancePath:instancePath+"/intents/" + i0+"/hold_seconds",keyword:"maximum",params:{comparison: "<=", limit: 604800}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
if(data9 < 1 || isNaN(data9)){
const err23 = {instancePath:instancePath+"/intents/" + i0+"/hold_seconds",keyword:"minimum",params:{comparison: ">=", limit: 1}};
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
if(data1.subject !== undefined){
let data10 = data1.subject;
if(typeof data10 === "string"){
if(data10.length > 256){
const err24 = {instancePath:instancePath+"/intents/" + i0+"/subject",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
if(data10.length < 1){
const err25 = {instancePath:instancePath+"/intents/" + i0+"/subject",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
if(!pattern0.test(data10)){
const err26 = {instancePath:instancePath+"/intents/" + i0+"/subject",keyword:"pattern",params:{pattern: "^(?:[^\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff]|[\\ud800-\\udbff][\\udc00-\\udfff])+$"}};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
else {
const err27 = {instancePath:instancePath+"/intents/" + i0+"/subject",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
if(data1.permit !== undefined){
let data11 = data1.permit;
if(data11 && typeof data11 == "object" && !Array.isArray(data11)){
if(data11.audience === undefined){
const err28 = {instancePath:instancePath+"/intents/" + i0+"/permit",keyword:"required",params:{missingProperty: "audience"}};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
for(const key2 in data11){
if(!(((key2 === "audience") || (key2 === "seconds")) || (key2 === "bind"))){
const err29 = {instancePath:instancePath+"/intents/" + i0+"/permit",keyword:"additionalProperties",params:{additionalProperty: key2}};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
if(data11.audience !== undefined){
let data12 = data11.audience;
if(typeof data12 === "string"){
if(!pattern1.test(data12)){
const err30 = {instancePath:instancePath+"/intents/" + i0+"/permit/audience",keyword:"pattern",params:{pattern: "^(?!test:)[!-~]{1,256}$"}};
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
const err31 = {instancePath:instancePath+"/intents/" + i0+"/permit/audience",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
if(data11.seconds !== undefined){
let data13 = data11.seconds;
if(!(((typeof data13 == "number") && (!(data13 % 1) && !isNaN(data13))) && (isFinite(data13)))){
const err32 = {instancePath:instancePath+"/intents/" + i0+"/permit/seconds",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
if((typeof data13 == "number") && (isFinite(data13))){
if(data13 > 60 || isNaN(data13)){
const err33 = {instancePath:instancePath+"/intents/" + i0+"/permit/seconds",keyword:"maximum",params:{comparison: "<=", limit: 60}};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
if(data13 < 1 || isNaN(data13)){
const err34 = {instancePath:instancePath+"/intents/" + i0+"/permit/seconds",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
}
if(data11.bind !== undefined){
if(typeof data11.bind !== "boolean"){
const err35 = {instancePath:instancePath+"/intents/" + i0+"/permit/bind",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
}
}
else {
const err36 = {instancePath:instancePath+"/intents/" + i0+"/permit",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
}
}
else {
const err37 = {instancePath:instancePath+"/intents/" + i0,keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
}
}
else {
const err38 = {instancePath:instancePath+"/intents",keyword:"type",params:{type: "array"}};
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
const err39 = {instancePath,keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
validate30.errors = vErrors;
return errors === 0;
}

const OutcomesRequest: Validator = validate31;
const schema36 = {"type":"object","description":"One to a hundred reports. One that is malformed refuses them all.","properties":{"outcomes":{"type":"array","items":{"type":"object","description":"The outcome of a verdict.","properties":{"decision_id":{"type":"string","maxLength":64,"description":"Of the verdict."},"evaluated_at":{"type":"string","maxLength":64,"description":"Of the verdict: at most 7 days ago.","examples":["2026-11-20T12:00:00.000Z"]},"agent_id":{"type":"string","minLength":1,"maxLength":512,"description":"Of the verdict.","examples":["did:web:example.com:agents:shopper"]},"outcome":{"type":"string","enum":["succeeded","failed","not_attempted","unknown"],"description":"failed: it ended with an error, and money may have moved."},"code":{"type":"string","minLength":1,"maxLength":64,"description":"Your own code: a lower-case letter, then a-z, 0-9 and _.","examples":["timeout"]}},"required":["decision_id","evaluated_at","agent_id","outcome"],"additionalProperties":false},"minItems":1,"maxItems":100}},"required":["outcomes"],"additionalProperties":false};

function validate31(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.outcomes === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "outcomes"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 in data){
if(!(key0 === "outcomes")){
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
if(data.outcomes !== undefined){
let data0 = data.outcomes;
if(Array.isArray(data0)){
if(data0.length > 100){
const err2 = {instancePath:instancePath+"/outcomes",keyword:"maxItems",params:{limit: 100}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data0.length < 1){
const err3 = {instancePath:instancePath+"/outcomes",keyword:"minItems",params:{limit: 1}};
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
if(data1.decision_id === undefined){
const err4 = {instancePath:instancePath+"/outcomes/" + i0,keyword:"required",params:{missingProperty: "decision_id"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data1.evaluated_at === undefined){
const err5 = {instancePath:instancePath+"/outcomes/" + i0,keyword:"required",params:{missingProperty: "evaluated_at"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data1.agent_id === undefined){
const err6 = {instancePath:instancePath+"/outcomes/" + i0,keyword:"required",params:{missingProperty: "agent_id"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(data1.outcome === undefined){
const err7 = {instancePath:instancePath+"/outcomes/" + i0,keyword:"required",params:{missingProperty: "outcome"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
for(const key1 in data1){
if(!(((((key1 === "decision_id") || (key1 === "evaluated_at")) || (key1 === "agent_id")) || (key1 === "outcome")) || (key1 === "code"))){
const err8 = {instancePath:instancePath+"/outcomes/" + i0,keyword:"additionalProperties",params:{additionalProperty: key1}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data1.decision_id !== undefined){
let data2 = data1.decision_id;
if(typeof data2 === "string"){
if(data2.length > 64){
const err9 = {instancePath:instancePath+"/outcomes/" + i0+"/decision_id",keyword:"maxLength",params:{limit: 64}};
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
const err10 = {instancePath:instancePath+"/outcomes/" + i0+"/decision_id",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data1.evaluated_at !== undefined){
let data3 = data1.evaluated_at;
if(typeof data3 === "string"){
if(data3.length > 64){
const err11 = {instancePath:instancePath+"/outcomes/" + i0+"/evaluated_at",keyword:"maxLength",params:{limit: 64}};
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
const err12 = {instancePath:instancePath+"/outcomes/" + i0+"/evaluated_at",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data1.agent_id !== undefined){
let data4 = data1.agent_id;
if(typeof data4 === "string"){
if(data4.length > 512){
const err13 = {instancePath:instancePath+"/outcomes/" + i0+"/agent_id",keyword:"maxLength",params:{limit: 512}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if(data4.length < 1){
const err14 = {instancePath:instancePath+"/outcomes/" + i0+"/agent_id",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
else {
const err15 = {instancePath:instancePath+"/outcomes/" + i0+"/agent_id",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data1.outcome !== undefined){
let data5 = data1.outcome;
if(typeof data5 !== "string"){
const err16 = {instancePath:instancePath+"/outcomes/" + i0+"/outcome",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
if(!((((data5 === "succeeded") || (data5 === "failed")) || (data5 === "not_attempted")) || (data5 === "unknown"))){
const err17 = {instancePath:instancePath+"/outcomes/" + i0+"/outcome",keyword:"enum",params:{allowedValues: schema36.properties.outcomes.items.properties.outcome.enum}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data1.code !== undefined){
let data6 = data1.code;
if(typeof data6 === "string"){
if(data6.length > 64){
const err18 = {instancePath:instancePath+"/outcomes/" + i0+"/code",keyword:"maxLength",params:{limit: 64}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
if(data6.length < 1){
const err19 = {instancePath:instancePath+"/outcomes/" + i0+"/code",keyword:"minLength",params:{limit: 1}};
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
const err20 = {instancePath:instancePath+"/outcomes/" + i0+"/code",keyword:"type",params:{type: "string"}};
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
const err21 = {instancePath:instancePath+"/outcomes/" + i0,keyword:"type",params:{type: "object"}};
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
else {
const err22 = {instancePath:instancePath+"/outcomes",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
}
else {
const err23 = {instancePath,keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
validate31.errors = vErrors;
return errors === 0;
}

const RevokeRequest: Validator = validate32;
const schema37 = {"type":"object","description":"The passport to revoke, permanently.","properties":{"agent_id":{"type":"string","minLength":1,"maxLength":512,"description":"did:web:<domain>:agents:<agent_name>","examples":["did:web:example.com:agents:shopper"]},"reason":{"type":"string","minLength":1,"maxLength":500}},"required":["agent_id"],"additionalProperties":false};

function validate32(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
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
validate32.errors = vErrors;
return errors === 0;
}

const SuspendRequest: Validator = validate33;
const schema38 = {"type":"object","description":"The passport to suspend, until an instant in the future or until it is reinstated.","properties":{"agent_id":{"type":"string","minLength":1,"maxLength":512,"description":"did:web:<domain>:agents:<agent_name>","examples":["did:web:example.com:agents:shopper"]},"reason":{"type":"string","minLength":1,"maxLength":500},"until":{"type":"string","maxLength":64,"description":"RFC 3339 instant; any offset in, UTC with milliseconds and Z out. A leap second (:60) is refused.","examples":["2026-11-20T12:00:00.000Z"]}},"required":["agent_id"],"additionalProperties":false};

function validate33(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
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
validate33.errors = vErrors;
return errors === 0;
}

const SettleRequest: Validator = validate34;
const schema39 = {"type":"object","description":"How much of a spend.","properties":{"amount":{"type":["number","string"],"description":"An exact decimal above 0. Absent: all of it.","examples":[100,"19.99"]}},"required":[],"additionalProperties":false};

function validate34(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!(key0 === "amount")){
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
if(data.amount !== undefined){
let data0 = data.amount;
if((!((typeof data0 == "number") && (isFinite(data0)))) && (typeof data0 !== "string")){
const err1 = {instancePath:instancePath+"/amount",keyword:"type",params:{type: schema39.properties.amount.type}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
else {
const err2 = {instancePath,keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate34.errors = vErrors;
return errors === 0;
}

const VerifierRequest: Validator = validate35;
const schema40 = {"type":"object","description":"The passports that a local verifier holds.","properties":{"turn":{"type":"integer","minimum":0,"maximum":9007199254740991},"agents":{"type":"object","maxProperties":200,"additionalProperties":{"type":["string","null"]},"description":"By agent: \"<version> <updated_at>\" as it is known, \"\" absent, null nothing."},"wait_ms":{"type":"integer","minimum":0,"maximum":1000,"description":"How long to wait for a change."}},"required":["turn","agents","wait_ms"],"additionalProperties":false};

function validate35(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.turn === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "turn"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.agents === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "agents"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.wait_ms === undefined){
const err2 = {instancePath,keyword:"required",params:{missingProperty: "wait_ms"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
for(const key0 in data){
if(!(((key0 === "turn") || (key0 === "agents")) || (key0 === "wait_ms"))){
const err3 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.turn !== undefined){
let data0 = data.turn;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
const err4 = {instancePath:instancePath+"/turn",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 9007199254740991 || isNaN(data0)){
const err5 = {instancePath:instancePath+"/turn",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data0 < 0 || isNaN(data0)){
const err6 = {instancePath:instancePath+"/turn",keyword:"minimum",params:{comparison: ">=", limit: 0}};
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
if(data.agents !== undefined){
let data1 = data.agents;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(Object.keys(data1).length > 200){
const err7 = {instancePath:instancePath+"/agents",keyword:"maxProperties",params:{limit: 200}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
for(const key1 in data1){
let data2 = data1[key1];
if((typeof data2 !== "string") && (data2 !== null)){
const err8 = {instancePath:instancePath+"/agents/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),keyword:"type",params:{type: schema40.properties.agents.additionalProperties.type}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
else {
const err9 = {instancePath:instancePath+"/agents",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.wait_ms !== undefined){
let data3 = data.wait_ms;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
const err10 = {instancePath:instancePath+"/wait_ms",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 > 1000 || isNaN(data3)){
const err11 = {instancePath:instancePath+"/wait_ms",keyword:"maximum",params:{comparison: "<=", limit: 1000}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(data3 < 0 || isNaN(data3)){
const err12 = {instancePath:instancePath+"/wait_ms",keyword:"minimum",params:{comparison: ">=", limit: 0}};
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
validate35.errors = vErrors;
return errors === 0;
}

const VerifierVerdicts: Validator = validate36;
const schema41 = {"type":"object","description":"Verdicts that a local verifier has decided.","properties":{"writer":{"type":"string","pattern":"^[0-9a-f]{32}$","description":"32 random hexadecimal digits, new with each start of the verifier."},"seq":{"type":"integer","minimum":1,"maximum":218340105584895,"description":"The number of the block: the count in the id of its last record."},"block":{"type":"string","minLength":1,"maxLength":1048576,"description":"The block as base64url."},"erasable":{"type":"string","minLength":1,"maxLength":2097152,"description":"The bytes with the subjects of the block, as base64url."}},"required":["writer","seq","block"],"additionalProperties":false};
const pattern6 = new RegExp("^[0-9a-f]{32}$", "u");

function validate36(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.writer === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "writer"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.seq === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "seq"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.block === undefined){
const err2 = {instancePath,keyword:"required",params:{missingProperty: "block"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
for(const key0 in data){
if(!((((key0 === "writer") || (key0 === "seq")) || (key0 === "block")) || (key0 === "erasable"))){
const err3 = {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.writer !== undefined){
let data0 = data.writer;
if(typeof data0 === "string"){
if(!pattern6.test(data0)){
const err4 = {instancePath:instancePath+"/writer",keyword:"pattern",params:{pattern: "^[0-9a-f]{32}$"}};
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
const err5 = {instancePath:instancePath+"/writer",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.seq !== undefined){
let data1 = data.seq;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
const err6 = {instancePath:instancePath+"/seq",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 > 218340105584895 || isNaN(data1)){
const err7 = {instancePath:instancePath+"/seq",keyword:"maximum",params:{comparison: "<=", limit: 218340105584895}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
if(data1 < 1 || isNaN(data1)){
const err8 = {instancePath:instancePath+"/seq",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
if(data.block !== undefined){
let data2 = data.block;
if(typeof data2 === "string"){
if(data2.length > 1048576){
const err9 = {instancePath:instancePath+"/block",keyword:"maxLength",params:{limit: 1048576}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
if(data2.length < 1){
const err10 = {instancePath:instancePath+"/block",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
else {
const err11 = {instancePath:instancePath+"/block",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.erasable !== undefined){
let data3 = data.erasable;
if(typeof data3 === "string"){
if(data3.length > 2097152){
const err12 = {instancePath:instancePath+"/erasable",keyword:"maxLength",params:{limit: 2097152}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
if(data3.length < 1){
const err13 = {instancePath:instancePath+"/erasable",keyword:"minLength",params:{limit: 1}};
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
const err14 = {instancePath:instancePath+"/erasable",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
}
else {
const err15 = {instancePath,keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
validate36.errors = vErrors;
return errors === 0;
}

const WebhookRequest: Validator = validate37;
const schema42 = {"type":"object","description":"The URL that gets events, and their types.","properties":{"url":{"type":"string","minLength":1,"maxLength":2048,"description":"https, port 443 or from 1024 on, a host on the public Internet, without credentials.","examples":["https://example.com/hooks/agents"]},"types":{"type":"array","items":{"type":"string","maxLength":64},"minItems":1,"maxItems":32,"uniqueItems":true,"description":"Types of events, or all of a kind such as passport.*","examples":[["passport.*","verdict.denied"]]},"description":{"type":"string","maxLength":500}},"required":["url","types"],"additionalProperties":false};

function validate37(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.url === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "url"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.types === undefined){
const err1 = {instancePath,keyword:"required",params:{missingProperty: "types"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
for(const key0 in data){
if(!(((key0 === "url") || (key0 === "types")) || (key0 === "description"))){
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
if(data.url !== undefined){
let data0 = data.url;
if(typeof data0 === "string"){
if(data0.length > 2048){
const err3 = {instancePath:instancePath+"/url",keyword:"maxLength",params:{limit: 2048}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data0.length < 1){
const err4 = {instancePath:instancePath+"/url",keyword:"minLength",params:{limit: 1}};
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
const err5 = {instancePath:instancePath+"/url",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.types !== undefined){
let data1 = data.types;
if(Array.isArray(data1)){
if(data1.length > 32){
const err6 = {instancePath:instancePath+"/types",keyword:"maxItems",params:{limit: 32}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
if(data1.length < 1){
const err7 = {instancePath:instancePath+"/types",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
let data2 = data1[i0];
if(typeof data2 === "string"){
if(data2.length > 64){
const err8 = {instancePath:instancePath+"/types/" + i0,keyword:"maxLength",params:{limit: 64}};
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
const err9 = {instancePath:instancePath+"/types/" + i0,keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
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
const err10 = {instancePath:instancePath+"/types",keyword:"uniqueItems",params:{i: i1, j: j0}};
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
const err11 = {instancePath:instancePath+"/types",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data.description !== undefined){
let data3 = data.description;
if(typeof data3 === "string"){
if(data3.length > 500){
const err12 = {instancePath:instancePath+"/description",keyword:"maxLength",params:{limit: 500}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
else {
const err13 = {instancePath:instancePath+"/description",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
}
else {
const err14 = {instancePath,keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
validate37.errors = vErrors;
return errors === 0;
}

const WebhookPatch: Validator = validate38;
const schema43 = {"type":"object","description":"What to change of a webhook. status active also enables one that was disabled for failures.","properties":{"url":{"type":"string","minLength":1,"maxLength":2048,"description":"https, port 443 or from 1024 on, a host on the public Internet, without credentials.","examples":["https://example.com/hooks/agents"]},"types":{"type":"array","items":{"type":"string","maxLength":64},"minItems":1,"maxItems":32,"uniqueItems":true,"description":"Types of events, or all of a kind such as passport.*","examples":[["passport.*","verdict.denied"]]},"status":{"type":"string"},"description":{"type":["string","null"],"maxLength":500}},"required":[],"additionalProperties":false};

function validate38(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!((((key0 === "url") || (key0 === "types")) || (key0 === "status")) || (key0 === "description"))){
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
if(data.url !== undefined){
let data0 = data.url;
if(typeof data0 === "string"){
if(data0.length > 2048){
const err1 = {instancePath:instancePath+"/url",keyword:"maxLength",params:{limit: 2048}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data0.length < 1){
const err2 = {instancePath:instancePath+"/url",keyword:"minLength",params:{limit: 1}};
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
const err3 = {instancePath:instancePath+"/url",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.types !== undefined){
let data1 = data.types;
if(Array.isArray(data1)){
if(data1.length > 32){
const err4 = {instancePath:instancePath+"/types",keyword:"maxItems",params:{limit: 32}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data1.length < 1){
const err5 = {instancePath:instancePath+"/types",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
let data2 = data1[i0];
if(typeof data2 === "string"){
if(data2.length > 64){
const err6 = {instancePath:instancePath+"/types/" + i0,keyword:"maxLength",params:{limit: 64}};
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
const err7 = {instancePath:instancePath+"/types/" + i0,keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
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
const err8 = {instancePath:instancePath+"/types",keyword:"uniqueItems",params:{i: i1, j: j0}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
break;
}
indices0[item0] = i1;
}
}
}
else {
const err9 = {instancePath:instancePath+"/types",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.status !== undefined){
if(typeof data.status !== "string"){
const err10 = {instancePath:instancePath+"/status",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.description !== undefined){
let data4 = data.description;
if((typeof data4 !== "string") && (data4 !== null)){
const err11 = {instancePath:instancePath+"/description",keyword:"type",params:{type: schema43.properties.description.type}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(typeof data4 === "string"){
if(data4.length > 500){
const err12 = {instancePath:instancePath+"/description",keyword:"maxLength",params:{limit: 500}};
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
validate38.errors = vErrors;
return errors === 0;
}

const WebhookRotation: Validator = validate39;
const schema44 = {"type":"object","description":"How long the replaced secret goes on signing.","properties":{"grace_seconds":{"type":"integer","minimum":0,"maximum":604800,"description":"Seconds for which requests carry the signatures of both secrets; by default none."}},"required":[],"additionalProperties":false};

function validate39(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
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
validate39.errors = vErrors;
return errors === 0;
}

const ApprovalDecision: Validator = validate40;
const schema45 = {"type":"object","description":"The note of the approver.","properties":{"note":{"type":"string","minLength":1,"maxLength":500,"description":"For people."}},"required":[],"additionalProperties":false};

function validate40(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!(key0 === "note")){
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
if(data.note !== undefined){
let data0 = data.note;
if(typeof data0 === "string"){
if(data0.length > 500){
const err1 = {instancePath:instancePath+"/note",keyword:"maxLength",params:{limit: 500}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data0.length < 1){
const err2 = {instancePath:instancePath+"/note",keyword:"minLength",params:{limit: 1}};
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
const err3 = {instancePath:instancePath+"/note",keyword:"type",params:{type: "string"}};
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
validate40.errors = vErrors;
return errors === 0;
}

const SubjectRequest: Validator = validate41;
const schema46 = {"type":"object","description":"The subject to erase.","properties":{"subject":{"type":"string","minLength":1,"maxLength":256,"pattern":"^(?:[^\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff]|[\\ud800-\\udbff][\\udc00-\\udfff])+$","description":"The user an agent acts for: your opaque id, not an address. It is recorded, not judged.","examples":["user-4711"]}},"required":["subject"],"additionalProperties":false};

function validate41(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.subject === undefined){
const err0 = {instancePath,keyword:"required",params:{missingProperty: "subject"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 in data){
if(!(key0 === "subject")){
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
if(data.subject !== undefined){
let data0 = data.subject;
if(typeof data0 === "string"){
if(data0.length > 256){
const err2 = {instancePath:instancePath+"/subject",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if(data0.length < 1){
const err3 = {instancePath:instancePath+"/subject",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(!pattern0.test(data0)){
const err4 = {instancePath:instancePath+"/subject",keyword:"pattern",params:{pattern: "^(?:[^\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff]|[\\ud800-\\udbff][\\udc00-\\udfff])+$"}};
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
const err5 = {instancePath:instancePath+"/subject",keyword:"type",params:{type: "string"}};
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
validate41.errors = vErrors;
return errors === 0;
}

const ReinstateRequest: Validator = validate42;
const schema47 = {"type":"object","description":"The passport whose suspension ends.","properties":{"agent_id":{"type":"string","minLength":1,"maxLength":512,"description":"did:web:<domain>:agents:<agent_name>","examples":["did:web:example.com:agents:shopper"]}},"required":["agent_id"],"additionalProperties":false};

function validate42(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
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
validate42.errors = vErrors;
return errors === 0;
}

const intentMembers: Validator = validate43;
const schema48 = {"type":"object","description":"An action that an agent asks to take.","properties":{"agent_id":{"type":"string","minLength":1,"maxLength":512},"action":{"type":"string","minLength":1,"maxLength":256,"examples":["payments.create"]},"target":{"type":"string","maxLength":512,"description":"The DID the action is aimed at."},"parameters":{"type":"object"},"proof":{"type":"string"},"dry_run":{"type":"boolean","description":"Ask without acting."},"approval_id":{"type":"string","minLength":1,"maxLength":128,"description":"The approval of exactly this intent, good for one ALLOW."},"hold_seconds":{"type":"integer","minimum":1,"maximum":604800,"description":"Seconds for which the ALLOW only reserves, until it is committed or released."},"subject":{"type":"string","minLength":1,"maxLength":256,"pattern":"^(?:[^\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff]|[\\ud800-\\udbff][\\udc00-\\udfff])+$","description":"The user an agent acts for: your opaque id, not an address. It is recorded, not judged.","examples":["user-4711"]},"permit":{"type":"object","description":"A signed ALLOW for exactly this intent, which a resource demands; needs the scope permit.","properties":{"audience":{"type":"string","pattern":"^(?!test:)[!-~]{1,256}$","description":"The resource, by its own name.","examples":["https://pay.example"]},"seconds":{"type":"integer","minimum":1,"maximum":60,"default":30},"bind":{"type":"boolean","description":"Binds it to the key that proves the intent."}},"required":["audience"],"additionalProperties":false}},"required":["agent_id","action"],"additionalProperties":true};

function validate43(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
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
if(data.action !== undefined){
let data1 = data.action;
if(typeof data1 === "string"){
if(data1.length > 256){
const err5 = {instancePath:instancePath+"/action",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
if(data1.length < 1){
const err6 = {instancePath:instancePath+"/action",keyword:"minLength",params:{limit: 1}};
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
const err7 = {instancePath:instancePath+"/action",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.target !== undefined){
let data2 = data.target;
if(typeof data2 === "string"){
if(data2.length > 512){
const err8 = {instancePath:instancePath+"/target",keyword:"maxLength",params:{limit: 512}};
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
const err9 = {instancePath:instancePath+"/target",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data.parameters !== undefined){
let data3 = data.parameters;
if(!(data3 && typeof data3 == "object" && !Array.isArray(data3))){
const err10 = {instancePath:instancePath+"/parameters",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.proof !== undefined){
if(typeof data.proof !== "string"){
const err11 = {instancePath:instancePath+"/proof",keyword:"type",params:{type: "string"}};
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
if(data.approval_id !== undefined){
let data6 = data.approval_id;
if(typeof data6 === "string"){
if(data6.length > 128){
const err13 = {instancePath:instancePath+"/approval_id",keyword:"maxLength",params:{limit: 128}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if(data6.length < 1){
const err14 = {instancePath:instancePath+"/approval_id",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
else {
const err15 = {instancePath:instancePath+"/approval_id",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
}
if(data.hold_seconds !== undefined){
let data7 = data.hold_seconds;
if(!(((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7))) && (isFinite(data7)))){
const err16 = {instancePath:instancePath+"/hold_seconds",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
if((typeof data7 == "number") && (isFinite(data7))){
if(data7 > 604800 || isNaN(data7)){
const err17 = {instancePath:instancePath+"/hold_seconds",keyword:"maximum",params:{comparison: "<=", limit: 604800}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
if(data7 < 1 || isNaN(data7)){
const err18 = {instancePath:instancePath+"/hold_seconds",keyword:"minimum",params:{comparison: ">=", limit: 1}};
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
if(data.subject !== undefined){
let data8 = data.subject;
if(typeof data8 === "string"){
if(data8.length > 256){
const err19 = {instancePath:instancePath+"/subject",keyword:"maxLength",params:{limit: 256}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
if(data8.length < 1){
const err20 = {instancePath:instancePath+"/subject",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
if(!pattern0.test(data8)){
const err21 = {instancePath:instancePath+"/subject",keyword:"pattern",params:{pattern: "^(?:[^\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff]|[\\ud800-\\udbff][\\udc00-\\udfff])+$"}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
else {
const err22 = {instancePath:instancePath+"/subject",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data.permit !== undefined){
let data9 = data.permit;
if(data9 && typeof data9 == "object" && !Array.isArray(data9)){
if(data9.audience === undefined){
const err23 = {instancePath:instancePath+"/permit",keyword:"required",params:{missingProperty: "audience"}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
for(const key0 in data9){
if(!(((key0 === "audience") || (key0 === "seconds")) || (key0 === "bind"))){
const err24 = {instancePath:instancePath+"/permit",keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
if(data9.audience !== undefined){
let data10 = data9.audience;
if(typeof data10 === "string"){
if(!pattern1.test(data10)){
const err25 = {instancePath:instancePath+"/permit/audience",keyword:"pattern",params:{pattern: "^(?!test:)[!-~]{1,256}$"}};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
else {
const err26 = {instancePath:instancePath+"/permit/audience",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
if(data9.seconds !== undefined){
let data11 = data9.seconds;
if(!(((typeof data11 == "number") && (!(data11 % 1) && !isNaN(data11))) && (isFinite(data11)))){
const err27 = {instancePath:instancePath+"/permit/seconds",keyword:"type",params:{type: "integer"}};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
if((typeof data11 == "number") && (isFinite(data11))){
if(data11 > 60 || isNaN(data11)){
const err28 = {instancePath:instancePath+"/permit/seconds",keyword:"maximum",params:{comparison: "<=", limit: 60}};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
if(data11 < 1 || isNaN(data11)){
const err29 = {instancePath:instancePath+"/permit/seconds",keyword:"minimum",params:{comparison: ">=", limit: 1}};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
}
if(data9.bind !== undefined){
if(typeof data9.bind !== "boolean"){
const err30 = {instancePath:instancePath+"/permit/bind",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
}
else {
const err31 = {instancePath:instancePath+"/permit",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
}
else {
const err32 = {instancePath,keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
validate43.errors = vErrors;
return errors === 0;
}

export const validators: Readonly<Record<RequestName, Validator>> = { MemberRequest, MemberPatch, LinkRequest, AcceptRequest, OidcFinishRequest, LoginRequest, RegisterRequest, LogoutRequest, KeyRequest, KeyPatch, KeyRotation, PasswordChange, AccountDeletion, PassportRequest, PassportPatch, DomainRequest, TryRequest, ReplayRequest, SignRequest, Intent, IntentBatch, OutcomesRequest, RevokeRequest, SuspendRequest, SettleRequest, VerifierRequest, VerifierVerdicts, WebhookRequest, WebhookPatch, WebhookRotation, ApprovalDecision, SubjectRequest, ReinstateRequest };

/** Validates the fields of an intent that has no others: an error has to be found by `validators.Intent`. */
export { intentMembers };

/** The fields of each request. */
export const fieldNames: Readonly<Record<RequestName, readonly string[]>> = {"MemberRequest":["role","email","name"],"MemberPatch":["role","name"],"LinkRequest":["token"],"AcceptRequest":["token","email","password"],"OidcFinishRequest":["transaction","response","link"],"LoginRequest":["email","password"],"RegisterRequest":["email","password"],"LogoutRequest":["everywhere"],"KeyRequest":["name","environment","scopes","agent_ids","domains","expires_at"],"KeyPatch":["name","scopes","agent_ids","domains"],"KeyRotation":["grace_seconds","expires_at"],"PasswordChange":["current_password","new_password"],"AccountDeletion":["current_password"],"PassportRequest":["domain","agent_name","allowed_actions","monetary_limit_per_txn","parent_agent_id","denied_actions","currency","allowed_targets","monetary_actions","budgets","approval","conditions","pace","not_before","expires_at","proof","description","public_keys","metadata"],"PassportPatch":["allowed_actions","monetary_limit_per_txn","denied_actions","currency","allowed_targets","monetary_actions","budgets","approval","conditions","pace","not_before","expires_at","proof","description","public_keys","metadata"],"DomainRequest":["domain"],"TryRequest":["patch","intent"],"ReplayRequest":["patch","from","to","environment","passport","examples"],"SignRequest":["ttl_seconds","kid"],"Intent":["agent_id","action","target","parameters","proof","dry_run","approval_id","hold_seconds","subject","permit"],"IntentBatch":["intents"],"OutcomesRequest":["outcomes"],"RevokeRequest":["agent_id","reason"],"SuspendRequest":["agent_id","reason","until"],"SettleRequest":["amount"],"VerifierRequest":["turn","agents","wait_ms"],"VerifierVerdicts":["writer","seq","block","erasable"],"WebhookRequest":["url","types","description"],"WebhookPatch":["url","types","status","description"],"WebhookRotation":["grace_seconds"],"ApprovalDecision":["note"],"SubjectRequest":["subject"],"ReinstateRequest":["agent_id"]};

// @ts-nocheck
// Generated from requests.ts by `npm run build`. Do not edit it.
import type { RequestName } from './requests.ts';
import type { RequestSchema, Validator } from './validator.ts';
const intentMembers: Validator = validate10;
const schema11 = {"type":"object","required":["agent_id","action"],"properties":{"agent_id":{"type":"string","minLength":1,"maxLength":512},"action":{"type":"string","minLength":1,"maxLength":256},"target":{"type":"string","maxLength":512},"parameters":{"type":"object"},"proof":{"type":"string"},"dry_run":{"type":"boolean"},"approval_id":{"type":"string","minLength":1,"maxLength":128},"hold_seconds":{"type":"integer","minimum":1,"maximum":604800},"subject":{"type":"string","minLength":1,"maxLength":256,"pattern":"^(?:[^\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff]|[\\ud800-\\udbff][\\udc00-\\udfff])+$"},"session":{"type":"string","minLength":1,"maxLength":128,"pattern":"^[\\u0021-\\u007e]*$"},"usage":{"type":"object","required":[],"properties":{"tokens":{"type":["number","string"]},"credits":{"type":["number","string"]}},"additionalProperties":false},"permit":{"type":"object","required":["audience"],"properties":{"audience":{"type":"string","pattern":"^(?!test:)[!-~]{1,256}$"},"seconds":{"type":"integer","minimum":1,"maximum":60,"default":30},"bind":{"type":"boolean"}},"additionalProperties":false}},"additionalProperties":true};
const pattern0 = new RegExp("^(?:[^\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff]|[\\ud800-\\udbff][\\udc00-\\udfff])+$", "u");
const pattern1 = new RegExp("^[\\u0021-\\u007e]*$", "u");
const pattern2 = new RegExp("^(?!test:)[!-~]{1,256}$", "u");

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.agent_id === undefined) && (missing0 = "agent_id")) || ((data.action === undefined) && (missing0 = "action"))){
return false;
}
else {
if(data.agent_id !== undefined){
let data0 = data.agent_id;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(data0.length > 512){
return false;
}
else {
if(data0.length < 1){
return false;
}
}
}
else {
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.action !== undefined){
let data1 = data.action;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(data1.length > 256){
return false;
}
else {
if(data1.length < 1){
return false;
}
}
}
else {
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.target !== undefined){
let data2 = data.target;
const _errs6 = errors;
if(errors === _errs6){
if(typeof data2 === "string"){
if(data2.length > 512){
return false;
}
}
else {
return false;
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.parameters !== undefined){
let data3 = data.parameters;
const _errs8 = errors;
if(!(data3 && typeof data3 == "object" && !Array.isArray(data3))){
return false;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.proof !== undefined){
const _errs10 = errors;
if(typeof data.proof !== "string"){
return false;
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.dry_run !== undefined){
const _errs12 = errors;
if(typeof data.dry_run !== "boolean"){
return false;
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.approval_id !== undefined){
let data6 = data.approval_id;
const _errs14 = errors;
if(errors === _errs14){
if(typeof data6 === "string"){
if(data6.length > 128){
return false;
}
else {
if(data6.length < 1){
return false;
}
}
}
else {
return false;
}
}
var valid0 = _errs14 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.hold_seconds !== undefined){
let data7 = data.hold_seconds;
const _errs16 = errors;
if(!(((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7))) && (isFinite(data7)))){
return false;
}
if(errors === _errs16){
if((typeof data7 == "number") && (isFinite(data7))){
if(data7 > 604800 || isNaN(data7)){
return false;
}
else {
if(data7 < 1 || isNaN(data7)){
return false;
}
}
}
}
var valid0 = _errs16 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.subject !== undefined){
let data8 = data.subject;
const _errs18 = errors;
if(errors === _errs18){
if(typeof data8 === "string"){
if(data8.length > 256){
return false;
}
else {
if(data8.length < 1){
return false;
}
else {
if(!pattern0.test(data8)){
return false;
}
}
}
}
else {
return false;
}
}
var valid0 = _errs18 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.session !== undefined){
let data9 = data.session;
const _errs20 = errors;
if(errors === _errs20){
if(typeof data9 === "string"){
if(data9.length > 128){
return false;
}
else {
if(data9.length < 1){
return false;
}
else {
if(!pattern1.test(data9)){
return false;
}
}
}
}
else {
return false;
}
}
var valid0 = _errs20 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.usage !== undefined){
let data10 = data.usage;
const _errs22 = errors;
if(errors === _errs22){
if(data10 && typeof data10 == "object" && !Array.isArray(data10)){
const _errs24 = errors;
for(const key0 in data10){
if(!((key0 === "tokens") || (key0 === "credits"))){
return false;
break;
}
}
if(_errs24 === errors){
if(data10.tokens !== undefined){
let data11 = data10.tokens;
const _errs25 = errors;
if((!((typeof data11 == "number") && (isFinite(data11)))) && (typeof data11 !== "string")){
return false;
}
var valid1 = _errs25 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data10.credits !== undefined){
let data12 = data10.credits;
const _errs27 = errors;
if((!((typeof data12 == "number") && (isFinite(data12)))) && (typeof data12 !== "string")){
return false;
}
var valid1 = _errs27 === errors;
}
else {
var valid1 = true;
}
}
}
}
else {
return false;
}
}
var valid0 = _errs22 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.permit !== undefined){
let data13 = data.permit;
const _errs29 = errors;
if(errors === _errs29){
if(data13 && typeof data13 == "object" && !Array.isArray(data13)){
let missing1;
if((data13.audience === undefined) && (missing1 = "audience")){
return false;
}
else {
const _errs31 = errors;
for(const key1 in data13){
if(!(((key1 === "audience") || (key1 === "seconds")) || (key1 === "bind"))){
return false;
break;
}
}
if(_errs31 === errors){
if(data13.audience !== undefined){
let data14 = data13.audience;
const _errs32 = errors;
if(errors === _errs32){
if(typeof data14 === "string"){
if(!pattern2.test(data14)){
return false;
}
}
else {
return false;
}
}
var valid2 = _errs32 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data13.seconds !== undefined){
let data15 = data13.seconds;
const _errs34 = errors;
if(!(((typeof data15 == "number") && (!(data15 % 1) && !isNaN(data15))) && (isFinite(data15)))){
return false;
}
if(errors === _errs34){
if((typeof data15 == "number") && (isFinite(data15))){
if(data15 > 60 || isNaN(data15)){
return false;
}
else {
if(data15 < 1 || isNaN(data15)){
return false;
}
}
}
}
var valid2 = _errs34 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data13.bind !== undefined){
const _errs36 = errors;
if(typeof data13.bind !== "boolean"){
return false;
}
var valid2 = _errs36 === errors;
}
else {
var valid2 = true;
}
}
}
}
}
}
else {
return false;
}
}
var valid0 = _errs29 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
}
}
}
else {
return false;
}
}
return errors === 0;
}

/** Validates the fields of an intent that has no others. */
export { intentMembers };

/** The schemas without their texts. */
export const schemas: Readonly<Record<RequestName, RequestSchema>> = {"MemberRequest":{"type":"object","required":["role"],"properties":{"role":{"type":"string","enum":["viewer","approver","editor","admin","owner"]},"email":{"type":"string","minLength":3,"maxLength":254},"name":{"type":"string","minLength":1,"maxLength":100}},"additionalProperties":false},"MemberPatch":{"type":"object","required":[],"properties":{"role":{"type":"string","enum":["viewer","approver","editor","admin","owner"]},"name":{"type":"string","minLength":1,"maxLength":100}},"additionalProperties":false},"LinkRequest":{"type":"object","required":["token"],"properties":{"token":{"type":"string","maxLength":128}},"additionalProperties":false},"AcceptRequest":{"type":"object","required":["token","password"],"properties":{"token":{"type":"string","maxLength":128},"email":{"type":"string","minLength":3,"maxLength":254},"password":{"type":"string"}},"additionalProperties":false},"OidcFinishRequest":{"type":"object","required":["transaction","response"],"properties":{"transaction":{"type":"string"},"response":{"type":"string"},"link":{"type":"string","maxLength":128}},"additionalProperties":false},"LoginRequest":{"type":"object","required":["email","password"],"properties":{"email":{"type":"string","maxLength":1024},"password":{"type":"string"}},"additionalProperties":false},"RegisterRequest":{"type":"object","required":["email","password"],"properties":{"email":{"type":"string","minLength":3,"maxLength":254},"password":{"type":"string"}},"additionalProperties":false},"LogoutRequest":{"type":"object","required":[],"properties":{"everywhere":{"type":"boolean"}},"additionalProperties":false},"KeyRequest":{"type":"object","required":["name"],"properties":{"name":{"type":"string","minLength":1,"maxLength":100},"environment":{"type":"string","enum":["live","test"]},"scopes":{"type":"array","minItems":1,"uniqueItems":true,"items":{"type":"string","enum":["verify","revoke","reinstate","refund","events","sign","decide","permit","token","passports:read","passports:propose","passports:write","keys:read","keys:write","approvals:read","verifications:read","audit:read","analytics:read","webhooks:read","webhooks:write"]}},"agent_ids":{"type":"array","minItems":1,"maxItems":100,"uniqueItems":true,"items":{"type":"string","minLength":1,"maxLength":512}},"domains":{"type":"array","minItems":1,"maxItems":20,"uniqueItems":true,"items":{"type":"string","minLength":1,"maxLength":500}},"expires_at":{"type":"string","maxLength":64}},"additionalProperties":false},"KeyPatch":{"type":"object","required":[],"properties":{"name":{"type":"string","minLength":1,"maxLength":100},"scopes":{"type":"array","minItems":1,"uniqueItems":true,"items":{"type":"string","enum":["verify","revoke","reinstate","refund","events","sign","decide","permit","token","passports:read","passports:propose","passports:write","keys:read","keys:write","approvals:read","verifications:read","audit:read","analytics:read","webhooks:read","webhooks:write"]}},"agent_ids":{"type":["array","null"],"minItems":1,"maxItems":100,"uniqueItems":true,"items":{"type":"string","minLength":1,"maxLength":512}},"domains":{"type":["array","null"],"minItems":1,"maxItems":20,"uniqueItems":true,"items":{"type":"string","minLength":1,"maxLength":500}}},"additionalProperties":false},"KeyRotation":{"type":"object","required":[],"properties":{"grace_seconds":{"type":"integer","minimum":0,"maximum":604800},"expires_at":{"type":"string","maxLength":64}},"additionalProperties":false},"PasswordChange":{"type":"object","required":["current_password","new_password"],"properties":{"current_password":{"type":"string"},"new_password":{"type":"string"}},"additionalProperties":false},"AccountDeletion":{"type":"object","required":["current_password"],"properties":{"current_password":{"type":"string"}},"additionalProperties":false},"PassportRequest":{"type":"object","required":["domain","agent_name","allowed_actions","monetary_limit_per_txn"],"properties":{"domain":{"type":"string","minLength":1,"maxLength":512},"agent_name":{"type":"string","minLength":1,"maxLength":63},"allowed_actions":{"type":"array","maxItems":256,"uniqueItems":true,"items":{"type":"string"}},"monetary_limit_per_txn":{"type":["number","string"]},"parent_agent_id":{"type":"string","minLength":1,"maxLength":512},"denied_actions":{"type":"array","maxItems":256,"uniqueItems":true,"items":{"type":"string"}},"currency":{"type":"string"},"allowed_targets":{"type":"array","maxItems":256,"uniqueItems":true,"items":{"type":"string","maxLength":512}},"monetary_actions":{"type":"array","maxItems":256,"uniqueItems":true,"items":{"type":"string"}},"budgets":{"type":"array","maxItems":8,"items":{"type":"object","required":["window"],"properties":{"name":{"type":"string"},"window":{"type":"string","enum":["hour","day","week","month","year","lifetime","rolling_hour","rolling_day","rolling_week","rolling_month"]},"limit":{"type":["number","string"]},"unit":{"type":"string","enum":["tokens","credits"]},"count":{"type":"integer","minimum":1,"maximum":1000000000},"actions":{"type":"array","maxItems":256,"uniqueItems":true,"minItems":1,"items":{"type":"string"}},"warn_at":{"type":"number","minimum":0.01,"maximum":0.99},"overrun":{"type":"boolean"}},"additionalProperties":false}},"approval":{"type":"object","required":[],"properties":{"above":{"type":["number","string"]},"actions":{"type":"array","maxItems":256,"uniqueItems":true,"minItems":1,"items":{"type":"string"}},"seconds":{"type":"integer","minimum":60,"maximum":604800},"count":{"type":"integer","minimum":1,"maximum":3},"by":{"type":"string","enum":["anyone","another"]},"changes":{"type":"boolean"}},"additionalProperties":false},"conditions":{"type":"array","maxItems":16},"pace":{"type":"array","maxItems":4,"items":{"type":"object","required":["max","seconds"],"properties":{"name":{"type":"string"},"actions":{"type":"array","maxItems":256,"uniqueItems":true,"minItems":1,"items":{"type":"string"}},"max":{"type":"integer","minimum":1,"maximum":10000},"seconds":{"type":"integer","minimum":1,"maximum":604800}},"additionalProperties":false}},"order":{"type":"array","maxItems":8},"trusted_issuers":{"type":"array","maxItems":8,"items":{"type":"object","required":["issuer","use"],"properties":{"issuer":{"type":"string","minLength":1,"maxLength":256},"use":{"type":"string","enum":["workload","user"]},"keys":{"type":"array","minItems":1,"maxItems":8,"items":{"type":"object","required":["kty"],"properties":{"kty":{"type":"string","enum":["RSA","EC","OKP"]},"crv":{"type":"string","enum":["P-256","Ed25519"]},"x":{"type":"string"},"y":{"type":"string"},"n":{"type":"string","maxLength":1024},"e":{"type":"string","maxLength":16},"kid":{"type":"string","minLength":1,"maxLength":256},"alg":{"type":"string","enum":["RS256","PS256","ES256","EdDSA","Ed25519"]},"use":{"type":"string","enum":["sig"]}}}},"subjects":{"type":"array","minItems":1,"maxItems":16,"uniqueItems":true,"items":{"type":"string","minLength":1,"maxLength":256}},"max_agents":{"type":"integer","minimum":1,"maximum":1000},"reuse":{"type":"boolean"}},"additionalProperties":false}},"not_before":{"type":"string","maxLength":64},"expires_at":{"type":"string","maxLength":64},"proof":{"type":"string","enum":["optional","identity","intent"]},"description":{"type":"string","maxLength":500},"public_keys":{"type":"array","maxItems":4,"items":{"type":"object","required":["kty","crv","x"],"properties":{"kty":{"type":"string","enum":["OKP","EC"]},"crv":{"type":"string","enum":["Ed25519","P-256"]},"x":{"type":"string"},"y":{"type":"string"},"kid":{"type":"string"},"alg":{"type":"string","enum":["EdDSA","Ed25519","ES256"]},"use":{"type":"string","enum":["sig"]}}}},"metadata":{"type":"object","maxProperties":20,"additionalProperties":{"type":"string","maxLength":500}},"owner":{"type":"string","minLength":1,"maxLength":200},"managed_by":{"type":"string","minLength":1,"maxLength":64}},"additionalProperties":false},"PassportPatch":{"type":"object","required":[],"properties":{"allowed_actions":{"type":"array","maxItems":256,"uniqueItems":true,"items":{"type":"string"}},"monetary_limit_per_txn":{"type":["number","string"]},"denied_actions":{"type":["array","null"],"maxItems":256,"uniqueItems":true,"items":{"type":"string"}},"currency":{"type":["string","null"]},"allowed_targets":{"type":["array","null"],"maxItems":256,"uniqueItems":true,"items":{"type":"string","maxLength":512}},"monetary_actions":{"type":["array","null"],"maxItems":256,"uniqueItems":true,"items":{"type":"string"}},"budgets":{"type":["array","null"],"maxItems":8,"items":{"type":"object","required":["window"],"properties":{"name":{"type":"string"},"window":{"type":"string","enum":["hour","day","week","month","year","lifetime","rolling_hour","rolling_day","rolling_week","rolling_month"]},"limit":{"type":["number","string"]},"unit":{"type":"string","enum":["tokens","credits"]},"count":{"type":"integer","minimum":1,"maximum":1000000000},"actions":{"type":"array","maxItems":256,"uniqueItems":true,"minItems":1,"items":{"type":"string"}},"warn_at":{"type":"number","minimum":0.01,"maximum":0.99},"overrun":{"type":"boolean"}},"additionalProperties":false}},"approval":{"type":["object","null"],"properties":{"above":{"type":["number","string","null"]},"actions":{"type":["array","null"],"maxItems":256,"uniqueItems":true,"minItems":1,"items":{"type":"string"}},"seconds":{"type":["integer","null"],"minimum":60,"maximum":604800},"count":{"type":["integer","null"],"minimum":1,"maximum":3},"by":{"type":["string","null"],"enum":["anyone","another",null]},"changes":{"type":["boolean","null"]}},"additionalProperties":false},"conditions":{"type":["array","null"],"maxItems":16},"pace":{"type":["array","null"],"maxItems":4,"items":{"type":"object","required":["max","seconds"],"properties":{"name":{"type":"string"},"actions":{"type":"array","maxItems":256,"uniqueItems":true,"minItems":1,"items":{"type":"string"}},"max":{"type":"integer","minimum":1,"maximum":10000},"seconds":{"type":"integer","minimum":1,"maximum":604800}},"additionalProperties":false}},"order":{"type":["array","null"],"maxItems":8},"trusted_issuers":{"type":["array","null"],"maxItems":8,"items":{"type":"object","required":["issuer","use"],"properties":{"issuer":{"type":"string","minLength":1,"maxLength":256},"use":{"type":"string","enum":["workload","user"]},"keys":{"type":"array","minItems":1,"maxItems":8,"items":{"type":"object","required":["kty"],"properties":{"kty":{"type":"string","enum":["RSA","EC","OKP"]},"crv":{"type":"string","enum":["P-256","Ed25519"]},"x":{"type":"string"},"y":{"type":"string"},"n":{"type":"string","maxLength":1024},"e":{"type":"string","maxLength":16},"kid":{"type":"string","minLength":1,"maxLength":256},"alg":{"type":"string","enum":["RS256","PS256","ES256","EdDSA","Ed25519"]},"use":{"type":"string","enum":["sig"]}}}},"subjects":{"type":"array","minItems":1,"maxItems":16,"uniqueItems":true,"items":{"type":"string","minLength":1,"maxLength":256}},"max_agents":{"type":"integer","minimum":1,"maximum":1000},"reuse":{"type":"boolean"}},"additionalProperties":false}},"not_before":{"type":["string","null"],"maxLength":64},"expires_at":{"type":["string","null"],"maxLength":64},"proof":{"type":["string","null"],"enum":["optional","identity","intent",null]},"description":{"type":["string","null"],"maxLength":500},"public_keys":{"type":["array","null"],"maxItems":4,"items":{"type":"object","required":["kty","crv","x"],"properties":{"kty":{"type":"string","enum":["OKP","EC"]},"crv":{"type":"string","enum":["Ed25519","P-256"]},"x":{"type":"string"},"y":{"type":"string"},"kid":{"type":"string"},"alg":{"type":"string","enum":["EdDSA","Ed25519","ES256"]},"use":{"type":"string","enum":["sig"]}}}},"metadata":{"type":["object","null"],"additionalProperties":{"type":["string","null"],"maxLength":500}},"owner":{"type":["string","null"],"minLength":1,"maxLength":200},"managed_by":{"type":["string","null"],"minLength":1,"maxLength":64}},"additionalProperties":false},"DomainRequest":{"type":"object","required":["domain"],"properties":{"domain":{"type":"string","minLength":1,"maxLength":253}},"additionalProperties":false},"TryRequest":{"type":"object","required":["intent"],"properties":{"patch":{"$ref":"PassportPatch"},"intent":{"$ref":"Intent"}},"additionalProperties":false},"ReplayRequest":{"type":"object","required":[],"properties":{"patch":{"$ref":"PassportPatch"},"from":{"type":"string","maxLength":64},"to":{"type":"string","maxLength":64},"environment":{"type":"string","enum":["live","test"]},"passport":{"type":"string","enum":["current","recorded"]},"examples":{"type":"integer","minimum":0,"maximum":100}},"additionalProperties":false},"SignRequest":{"type":"object","required":[],"properties":{"ttl_seconds":{"type":"integer","minimum":60,"maximum":86400},"kid":{"type":"string","minLength":43,"maxLength":43}},"additionalProperties":false},"Intent":{"type":"object","required":["agent_id","action"],"properties":{"agent_id":{"type":"string","minLength":1,"maxLength":512},"action":{"type":"string","minLength":1,"maxLength":256},"target":{"type":"string","maxLength":512},"parameters":{"type":"object"},"proof":{"type":"string"},"dry_run":{"type":"boolean"},"approval_id":{"type":"string","minLength":1,"maxLength":128},"hold_seconds":{"type":"integer","minimum":1,"maximum":604800},"subject":{"type":"string","minLength":1,"maxLength":256,"pattern":"^(?:[^\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff]|[\\ud800-\\udbff][\\udc00-\\udfff])+$"},"session":{"type":"string","minLength":1,"maxLength":128,"pattern":"^[\\u0021-\\u007e]*$"},"usage":{"type":"object","required":[],"properties":{"tokens":{"type":["number","string"]},"credits":{"type":["number","string"]}},"additionalProperties":false},"permit":{"type":"object","required":["audience"],"properties":{"audience":{"type":"string","pattern":"^(?!test:)[!-~]{1,256}$"},"seconds":{"type":"integer","minimum":1,"maximum":60,"default":30},"bind":{"type":"boolean"}},"additionalProperties":false}},"additionalProperties":false},"IntentBatch":{"type":"object","required":["intents"],"properties":{"intents":{"type":"array","minItems":1,"maxItems":100,"items":{"$ref":"Intent"}}},"additionalProperties":false},"OutcomesRequest":{"type":"object","required":["outcomes"],"properties":{"outcomes":{"type":"array","minItems":1,"maxItems":100,"items":{"type":"object","required":["decision_id","evaluated_at","agent_id","outcome"],"properties":{"decision_id":{"type":"string","maxLength":64},"evaluated_at":{"type":"string","maxLength":64},"agent_id":{"type":"string","minLength":1,"maxLength":512},"outcome":{"type":"string","enum":["succeeded","failed","not_attempted","unknown"]},"code":{"type":"string","minLength":1,"maxLength":64},"mark":{"type":"string","minLength":1,"maxLength":1024}},"additionalProperties":false}}},"additionalProperties":false},"RevokeRequest":{"type":"object","required":["agent_id"],"properties":{"agent_id":{"type":"string","minLength":1,"maxLength":512},"reason":{"type":"string","minLength":1,"maxLength":500}},"additionalProperties":false},"SuspendRequest":{"type":"object","required":["agent_id"],"properties":{"agent_id":{"type":"string","minLength":1,"maxLength":512},"reason":{"type":"string","minLength":1,"maxLength":500},"until":{"type":"string","maxLength":64}},"additionalProperties":false},"SettleRequest":{"type":"object","required":[],"properties":{"amount":{"type":["number","string"]}},"additionalProperties":false},"CommitRequest":{"type":"object","required":[],"properties":{"amount":{"type":["number","string"]},"usage":{"type":"object","required":[],"properties":{"tokens":{"type":["number","string"]},"credits":{"type":["number","string"]}},"additionalProperties":false}},"additionalProperties":false},"ExtendRequest":{"type":"object","required":["hold_seconds"],"properties":{"hold_seconds":{"type":"integer","minimum":1,"maximum":604800}},"additionalProperties":false},"VerifierRequest":{"type":"object","required":["turn","agents","wait_ms"],"properties":{"turn":{"type":"integer","minimum":0,"maximum":9007199254740991},"agents":{"type":"object","maxProperties":200,"additionalProperties":{"type":["string","null"]}},"wait_ms":{"type":"integer","minimum":0,"maximum":1000}},"additionalProperties":false},"VerifierVerdicts":{"type":"object","required":["writer","seq","block"],"properties":{"writer":{"type":"string","pattern":"^[0-9a-f]{32}$"},"seq":{"type":"integer","minimum":1,"maximum":218340105584895},"block":{"type":"string","minLength":1,"maxLength":1048576},"erasable":{"type":"string","minLength":1,"maxLength":2097152}},"additionalProperties":false},"WebhookRequest":{"type":"object","required":["url","types"],"properties":{"url":{"type":"string","minLength":1,"maxLength":2048},"types":{"type":"array","minItems":1,"maxItems":32,"uniqueItems":true,"items":{"type":"string","maxLength":64}},"description":{"type":"string","maxLength":500},"format":{}},"additionalProperties":false},"WebhookPatch":{"type":"object","required":[],"properties":{"url":{"type":"string","minLength":1,"maxLength":2048},"types":{"type":"array","minItems":1,"maxItems":32,"uniqueItems":true,"items":{"type":"string","maxLength":64}},"status":{"type":"string"},"description":{"type":["string","null"],"maxLength":500},"format":{}},"additionalProperties":false},"WebhookRotation":{"type":"object","required":[],"properties":{"grace_seconds":{"type":"integer","minimum":0,"maximum":604800}},"additionalProperties":false},"ApprovalDecision":{"type":"object","required":[],"properties":{"note":{"type":"string","minLength":1,"maxLength":500}},"additionalProperties":false},"SubjectRequest":{"type":"object","required":["subject"],"properties":{"subject":{"type":"string","minLength":1,"maxLength":256,"pattern":"^(?:[^\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff]|[\\ud800-\\udbff][\\udc00-\\udfff])+$"}},"additionalProperties":false},"ReinstateRequest":{"type":"object","required":["agent_id"],"properties":{"agent_id":{"type":"string","minLength":1,"maxLength":512}},"additionalProperties":false}};

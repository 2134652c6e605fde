// @ts-nocheck
// Generated from src/schema/requests.ts by `npm run build`. Do not edit it.
import { type CompiledRequest, concat, push, type Validator } from '../schema/validator.ts';

const RegisterRequest: Validator = validate21;
const schema6 = {"properties":{"email":true,"password":true}};

function validate21(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.email === undefined){
vErrors = push(vErrors, {instancePath,keyword:"required",params:{missingProperty: "email"}});
errors++;
}
if(data.password === undefined){
vErrors = push(vErrors, {instancePath,keyword:"required",params:{missingProperty: "password"}});
errors++;
}
for(const key0 in data){
if(!((key0 === "email") || (key0 === "password"))){
vErrors = push(vErrors, {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.email !== undefined){
let data0 = data.email;
if(typeof data0 === "string"){
if(data0.length > 254){
vErrors = push(vErrors, {instancePath:instancePath+"/email",keyword:"maxLength",params:{limit: 254}});
errors++;
}
if(data0.length < 3){
vErrors = push(vErrors, {instancePath:instancePath+"/email",keyword:"minLength",params:{limit: 3}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/email",keyword:"type",params:{}});
errors++;
}
}
if(data.password !== undefined){
if(typeof data.password !== "string"){
vErrors = push(vErrors, {instancePath:instancePath+"/password",keyword:"type",params:{}});
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

const KeyRequest: Validator = validate22;
const schema7 = {"properties":{"name":true,"environment":true,"scopes":true,"agent_ids":true,"domains":true,"expires_at":true}};
const schema8 = {"properties":{}};

function validate23(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(Array.isArray(data)){
if(data.length < 1){
vErrors = push(vErrors, {instancePath,keyword:"minItems",params:{limit: 1}});
errors++;
}
const len0 = data.length;
for(let i0=0; i0<len0; i0++){
let data0 = data[i0];
if(typeof data0 !== "string"){
vErrors = push(vErrors, {instancePath:instancePath+"/" + i0,keyword:"type",params:{}});
errors++;
}
if(!((((((((((((((((((((data0 === "verify") || (data0 === "revoke")) || (data0 === "reinstate")) || (data0 === "refund")) || (data0 === "events")) || (data0 === "sign")) || (data0 === "decide")) || (data0 === "permit")) || (data0 === "token")) || (data0 === "passports:read")) || (data0 === "passports:propose")) || (data0 === "passports:write")) || (data0 === "keys:read")) || (data0 === "keys:write")) || (data0 === "approvals:read")) || (data0 === "verifications:read")) || (data0 === "audit:read")) || (data0 === "analytics:read")) || (data0 === "webhooks:read")) || (data0 === "webhooks:write"))){
vErrors = push(vErrors, {instancePath:instancePath+"/" + i0,keyword:"enum",params:{}});
errors++;
}
}
let i1 = data.length;
let j0;
if(i1 > 1){
const indices0 = {};
for(;i1--;){
let item0 = data[i1];
if(typeof item0 !== "string"){
continue;
}
if(typeof indices0[item0] == "number"){
j0 = indices0[item0];
vErrors = push(vErrors, {instancePath,keyword:"uniqueItems",params:{i: i1, j: j0}});
errors++;
break;
}
indices0[item0] = i1;
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


function validate22(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.name === undefined){
vErrors = push(vErrors, {instancePath,keyword:"required",params:{missingProperty: "name"}});
errors++;
}
for(const key0 in data){
if(!((((((key0 === "name") || (key0 === "environment")) || (key0 === "scopes")) || (key0 === "agent_ids")) || (key0 === "domains")) || (key0 === "expires_at"))){
vErrors = push(vErrors, {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.name !== undefined){
let data0 = data.name;
if(typeof data0 === "string"){
if(data0.length > 100){
vErrors = push(vErrors, {instancePath:instancePath+"/name",keyword:"maxLength",params:{limit: 100}});
errors++;
}
if(data0.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/name",keyword:"minLength",params:{limit: 1}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/name",keyword:"type",params:{}});
errors++;
}
}
if(data.environment !== undefined){
let data1 = data.environment;
if(typeof data1 !== "string"){
vErrors = push(vErrors, {instancePath:instancePath+"/environment",keyword:"type",params:{}});
errors++;
}
if(!((data1 === "live") || (data1 === "test"))){
vErrors = push(vErrors, {instancePath:instancePath+"/environment",keyword:"enum",params:{}});
errors++;
}
}
if(data.scopes !== undefined){
if(!(validate23(data.scopes, {instancePath:instancePath+"/scopes",parentData:data,parentDataProperty:"scopes",rootData}))){
vErrors = concat(vErrors, validate23.errors);
errors = vErrors.length;
}
}
if(data.agent_ids !== undefined){
let data3 = data.agent_ids;
if(Array.isArray(data3)){
if(data3.length > 100){
vErrors = push(vErrors, {instancePath:instancePath+"/agent_ids",keyword:"maxItems",params:{limit: 100}});
errors++;
}
if(data3.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/agent_ids",keyword:"minItems",params:{limit: 1}});
errors++;
}
const len0 = data3.length;
for(let i0=0; i0<len0; i0++){
let data4 = data3[i0];
if(typeof data4 === "string"){
if(data4.length > 512){
vErrors = push(vErrors, {instancePath:instancePath+"/agent_ids/" + i0,keyword:"maxLength",params:{limit: 512}});
errors++;
}
if(data4.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/agent_ids/" + i0,keyword:"minLength",params:{limit: 1}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/agent_ids/" + i0,keyword:"type",params:{}});
errors++;
}
}
let i1 = data3.length;
let j0;
if(i1 > 1){
const indices0 = {};
for(;i1--;){
let item0 = data3[i1];
if(typeof item0 !== "string"){
continue;
}
if(typeof indices0[item0] == "number"){
j0 = indices0[item0];
vErrors = push(vErrors, {instancePath:instancePath+"/agent_ids",keyword:"uniqueItems",params:{i: i1, j: j0}});
errors++;
break;
}
indices0[item0] = i1;
}
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/agent_ids",keyword:"type",params:{}});
errors++;
}
}
if(data.domains !== undefined){
let data5 = data.domains;
if(Array.isArray(data5)){
if(data5.length > 20){
vErrors = push(vErrors, {instancePath:instancePath+"/domains",keyword:"maxItems",params:{limit: 20}});
errors++;
}
if(data5.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/domains",keyword:"minItems",params:{limit: 1}});
errors++;
}
const len1 = data5.length;
for(let i2=0; i2<len1; i2++){
let data6 = data5[i2];
if(typeof data6 === "string"){
if(data6.length > 500){
vErrors = push(vErrors, {instancePath:instancePath+"/domains/" + i2,keyword:"maxLength",params:{limit: 500}});
errors++;
}
if(data6.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/domains/" + i2,keyword:"minLength",params:{limit: 1}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/domains/" + i2,keyword:"type",params:{}});
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
vErrors = push(vErrors, {instancePath:instancePath+"/domains",keyword:"uniqueItems",params:{i: i3, j: j1}});
errors++;
break;
}
indices1[item1] = i3;
}
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/domains",keyword:"type",params:{}});
errors++;
}
}
if(data.expires_at !== undefined){
let data7 = data.expires_at;
if(typeof data7 === "string"){
if(data7.length > 64){
vErrors = push(vErrors, {instancePath:instancePath+"/expires_at",keyword:"maxLength",params:{limit: 64}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/expires_at",keyword:"type",params:{}});
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

const KeyPatch: Validator = validate25;
const schema9 = {"properties":{"name":true,"scopes":true,"agent_ids":true,"domains":true}};

function validate25(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!((((key0 === "name") || (key0 === "scopes")) || (key0 === "agent_ids")) || (key0 === "domains"))){
vErrors = push(vErrors, {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.name !== undefined){
let data0 = data.name;
if(typeof data0 === "string"){
if(data0.length > 100){
vErrors = push(vErrors, {instancePath:instancePath+"/name",keyword:"maxLength",params:{limit: 100}});
errors++;
}
if(data0.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/name",keyword:"minLength",params:{limit: 1}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/name",keyword:"type",params:{}});
errors++;
}
}
if(data.scopes !== undefined){
if(!(validate23(data.scopes, {instancePath:instancePath+"/scopes",parentData:data,parentDataProperty:"scopes",rootData}))){
vErrors = concat(vErrors, validate23.errors);
errors = vErrors.length;
}
}
if(data.agent_ids !== undefined){
let data2 = data.agent_ids;
if((!(Array.isArray(data2))) && (data2 !== null)){
vErrors = push(vErrors, {instancePath:instancePath+"/agent_ids",keyword:"type",params:{}});
errors++;
}
if(Array.isArray(data2)){
if(data2.length > 100){
vErrors = push(vErrors, {instancePath:instancePath+"/agent_ids",keyword:"maxItems",params:{limit: 100}});
errors++;
}
if(data2.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/agent_ids",keyword:"minItems",params:{limit: 1}});
errors++;
}
const len0 = data2.length;
for(let i0=0; i0<len0; i0++){
let data3 = data2[i0];
if(typeof data3 === "string"){
if(data3.length > 512){
vErrors = push(vErrors, {instancePath:instancePath+"/agent_ids/" + i0,keyword:"maxLength",params:{limit: 512}});
errors++;
}
if(data3.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/agent_ids/" + i0,keyword:"minLength",params:{limit: 1}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/agent_ids/" + i0,keyword:"type",params:{}});
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
vErrors = push(vErrors, {instancePath:instancePath+"/agent_ids",keyword:"uniqueItems",params:{i: i1, j: j0}});
errors++;
break;
}
indices0[item0] = i1;
}
}
}
}
if(data.domains !== undefined){
let data4 = data.domains;
if((!(Array.isArray(data4))) && (data4 !== null)){
vErrors = push(vErrors, {instancePath:instancePath+"/domains",keyword:"type",params:{}});
errors++;
}
if(Array.isArray(data4)){
if(data4.length > 20){
vErrors = push(vErrors, {instancePath:instancePath+"/domains",keyword:"maxItems",params:{limit: 20}});
errors++;
}
if(data4.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/domains",keyword:"minItems",params:{limit: 1}});
errors++;
}
const len1 = data4.length;
for(let i2=0; i2<len1; i2++){
let data5 = data4[i2];
if(typeof data5 === "string"){
if(data5.length > 500){
vErrors = push(vErrors, {instancePath:instancePath+"/domains/" + i2,keyword:"maxLength",params:{limit: 500}});
errors++;
}
if(data5.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/domains/" + i2,keyword:"minLength",params:{limit: 1}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/domains/" + i2,keyword:"type",params:{}});
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
vErrors = push(vErrors, {instancePath:instancePath+"/domains",keyword:"uniqueItems",params:{i: i3, j: j1}});
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
vErrors = push(vErrors, {instancePath,keyword:"type",params:{}});
errors++;
}
validate25.errors = vErrors;
return errors === 0;
}

const KeyRotation: Validator = validate27;
const schema10 = {"properties":{"grace_seconds":true,"expires_at":true}};

function validate27(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!((key0 === "grace_seconds") || (key0 === "expires_at"))){
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
if(data.expires_at !== undefined){
let data1 = data.expires_at;
if(typeof data1 === "string"){
if(data1.length > 64){
vErrors = push(vErrors, {instancePath:instancePath+"/expires_at",keyword:"maxLength",params:{limit: 64}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/expires_at",keyword:"type",params:{}});
errors++;
}
}
}
else {
vErrors = push(vErrors, {instancePath,keyword:"type",params:{}});
errors++;
}
validate27.errors = vErrors;
return errors === 0;
}

const PassportRequest: Validator = validate28;
const schema11 = {"properties":{"domain":true,"agent_name":true,"allowed_actions":true,"monetary_limit_per_txn":true,"parent_agent_id":true,"denied_actions":true,"currency":true,"allowed_targets":true,"monetary_actions":true,"budgets":true,"approval":true,"conditions":true,"pace":true,"order":true,"trusted_issuers":true,"not_before":true,"expires_at":true,"proof":true,"description":true,"public_keys":true,"metadata":true,"owner":true,"managed_by":true}};
const func2 = Object.prototype.hasOwnProperty;
const schema12 = {"properties":{"name":true,"window":true,"limit":true,"unit":true,"count":true,"actions":true,"warn_at":true,"overrun":true}};

function validate29(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.window === undefined){
vErrors = push(vErrors, {instancePath,keyword:"required",params:{missingProperty: "window"}});
errors++;
}
for(const key0 in data){
if(!((((((((key0 === "name") || (key0 === "window")) || (key0 === "limit")) || (key0 === "unit")) || (key0 === "count")) || (key0 === "actions")) || (key0 === "warn_at")) || (key0 === "overrun"))){
vErrors = push(vErrors, {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.name !== undefined){
if(typeof data.name !== "string"){
vErrors = push(vErrors, {instancePath:instancePath+"/name",keyword:"type",params:{}});
errors++;
}
}
if(data.window !== undefined){
let data1 = data.window;
if(typeof data1 !== "string"){
vErrors = push(vErrors, {instancePath:instancePath+"/window",keyword:"type",params:{}});
errors++;
}
if(!((((((((((data1 === "hour") || (data1 === "day")) || (data1 === "week")) || (data1 === "month")) || (data1 === "year")) || (data1 === "lifetime")) || (data1 === "rolling_hour")) || (data1 === "rolling_day")) || (data1 === "rolling_week")) || (data1 === "rolling_month"))){
vErrors = push(vErrors, {instancePath:instancePath+"/window",keyword:"enum",params:{}});
errors++;
}
}
if(data.limit !== undefined){
let data2 = data.limit;
if((!((typeof data2 == "number") && (isFinite(data2)))) && (typeof data2 !== "string")){
vErrors = push(vErrors, {instancePath:instancePath+"/limit",keyword:"type",params:{}});
errors++;
}
}
if(data.unit !== undefined){
let data3 = data.unit;
if(typeof data3 !== "string"){
vErrors = push(vErrors, {instancePath:instancePath+"/unit",keyword:"type",params:{}});
errors++;
}
if(!((data3 === "tokens") || (data3 === "credits"))){
vErrors = push(vErrors, {instancePath:instancePath+"/unit",keyword:"enum",params:{}});
errors++;
}
}
if(data.count !== undefined){
let data4 = data.count;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
vErrors = push(vErrors, {instancePath:instancePath+"/count",keyword:"type",params:{}});
errors++;
}
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 > 1000000000 || isNaN(data4)){
vErrors = push(vErrors, {instancePath:instancePath+"/count",keyword:"maximum",params:{}});
errors++;
}
if(data4 < 1 || isNaN(data4)){
vErrors = push(vErrors, {instancePath:instancePath+"/count",keyword:"minimum",params:{}});
errors++;
}
}
}
if(data.actions !== undefined){
let data5 = data.actions;
if(Array.isArray(data5)){
if(data5.length > 256){
vErrors = push(vErrors, {instancePath:instancePath+"/actions",keyword:"maxItems",params:{limit: 256}});
errors++;
}
if(data5.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/actions",keyword:"minItems",params:{limit: 1}});
errors++;
}
const len0 = data5.length;
for(let i0=0; i0<len0; i0++){
if(typeof data5[i0] !== "string"){
vErrors = push(vErrors, {instancePath:instancePath+"/actions/" + i0,keyword:"type",params:{}});
errors++;
}
}
let i1 = data5.length;
let j0;
if(i1 > 1){
const indices0 = {};
for(;i1--;){
let item0 = data5[i1];
if(typeof item0 !== "string"){
continue;
}
if(typeof indices0[item0] == "number"){
j0 = indices0[item0];
vErrors = push(vErrors, {instancePath:instancePath+"/actions",keyword:"uniqueItems",params:{i: i1, j: j0}});
errors++;
break;
}
indices0[item0] = i1;
}
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/actions",keyword:"type",params:{}});
errors++;
}
}
if(data.warn_at !== undefined){
let data7 = data.warn_at;
if((typeof data7 == "number") && (isFinite(data7))){
if(data7 > 0.99 || isNaN(data7)){
vErrors = push(vErrors, {instancePath:instancePath+"/warn_at",keyword:"maximum",params:{}});
errors++;
}
if(data7 < 0.01 || isNaN(data7)){
vErrors = push(vErrors, {instancePath:instancePath+"/warn_at",keyword:"minimum",params:{}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/warn_at",keyword:"type",params:{}});
errors++;
}
}
if(data.overrun !== undefined){
if(typeof data.overrun !== "boolean"){
vErrors = push(vErrors, {instancePath:instancePath+"/overrun",keyword:"type",params:{}});
errors++;
}
}
}
else {
vErrors = push(vErrors, {instancePath,keyword:"type",params:{}});
errors++;
}
validate29.errors = vErrors;
return errors === 0;
}

const schema13 = {"properties":{"name":true,"actions":true,"max":true,"seconds":true}};

function validate31(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.max === undefined){
vErrors = push(vErrors, {instancePath,keyword:"required",params:{missingProperty: "max"}});
errors++;
}
if(data.seconds === undefined){
vErrors = push(vErrors, {instancePath,keyword:"required",params:{missingProperty: "seconds"}});
errors++;
}
for(const key0 in data){
if(!((((key0 === "name") || (key0 === "actions")) || (key0 === "max")) || (key0 === "seconds"))){
vErrors = push(vErrors, {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.name !== undefined){
if(typeof data.name !== "string"){
vErrors = push(vErrors, {instancePath:instancePath+"/name",keyword:"type",params:{}});
errors++;
}
}
if(data.actions !== undefined){
let data1 = data.actions;
if(Array.isArray(data1)){
if(data1.length > 256){
vErrors = push(vErrors, {instancePath:instancePath+"/actions",keyword:"maxItems",params:{limit: 256}});
errors++;
}
if(data1.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/actions",keyword:"minItems",params:{limit: 1}});
errors++;
}
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
if(typeof data1[i0] !== "string"){
vErrors = push(vErrors, {instancePath:instancePath+"/actions/" + i0,keyword:"type",params:{}});
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
vErrors = push(vErrors, {instancePath:instancePath+"/actions",keyword:"uniqueItems",params:{i: i1, j: j0}});
errors++;
break;
}
indices0[item0] = i1;
}
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/actions",keyword:"type",params:{}});
errors++;
}
}
if(data.max !== undefined){
let data3 = data.max;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
vErrors = push(vErrors, {instancePath:instancePath+"/max",keyword:"type",params:{}});
errors++;
}
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 > 10000 || isNaN(data3)){
vErrors = push(vErrors, {instancePath:instancePath+"/max",keyword:"maximum",params:{}});
errors++;
}
if(data3 < 1 || isNaN(data3)){
vErrors = push(vErrors, {instancePath:instancePath+"/max",keyword:"minimum",params:{}});
errors++;
}
}
}
if(data.seconds !== undefined){
let data4 = data.seconds;
if(!(((typeof data4 == "number") && (!(data4 % 1) && !isNaN(data4))) && (isFinite(data4)))){
vErrors = push(vErrors, {instancePath:instancePath+"/seconds",keyword:"type",params:{}});
errors++;
}
if((typeof data4 == "number") && (isFinite(data4))){
if(data4 > 604800 || isNaN(data4)){
vErrors = push(vErrors, {instancePath:instancePath+"/seconds",keyword:"maximum",params:{}});
errors++;
}
if(data4 < 1 || isNaN(data4)){
vErrors = push(vErrors, {instancePath:instancePath+"/seconds",keyword:"minimum",params:{}});
errors++;
}
}
}
}
else {
vErrors = push(vErrors, {instancePath,keyword:"type",params:{}});
errors++;
}
validate31.errors = vErrors;
return errors === 0;
}

const schema14 = {"properties":{"issuer":true,"use":true,"keys":true,"subjects":true,"max_agents":true,"reuse":true}};
const schema15 = {"properties":{}};
const schema16 = {"properties":{"kty":true,"crv":true,"x":true,"y":true,"n":true,"e":true,"kid":true,"alg":true,"use":true}};

function validate35(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.kty === undefined){
vErrors = push(vErrors, {instancePath,keyword:"required",params:{missingProperty: "kty"}});
errors++;
}
if(data.kty !== undefined){
let data0 = data.kty;
if(typeof data0 !== "string"){
vErrors = push(vErrors, {instancePath:instancePath+"/kty",keyword:"type",params:{}});
errors++;
}
if(!(((data0 === "RSA") || (data0 === "EC")) || (data0 === "OKP"))){
vErrors = push(vErrors, {instancePath:instancePath+"/kty",keyword:"enum",params:{}});
errors++;
}
}
if(data.crv !== undefined){
let data1 = data.crv;
if(typeof data1 !== "string"){
vErrors = push(vErrors, {instancePath:instancePath+"/crv",keyword:"type",params:{}});
errors++;
}
if(!((data1 === "P-256") || (data1 === "Ed25519"))){
vErrors = push(vErrors, {instancePath:instancePath+"/crv",keyword:"enum",params:{}});
errors++;
}
}
if(data.x !== undefined){
if(typeof data.x !== "string"){
vErrors = push(vErrors, {instancePath:instancePath+"/x",keyword:"type",params:{}});
errors++;
}
}
if(data.y !== undefined){
if(typeof data.y !== "string"){
vErrors = push(vErrors, {instancePath:instancePath+"/y",keyword:"type",params:{}});
errors++;
}
}
if(data.n !== undefined){
let data4 = data.n;
if(typeof data4 === "string"){
if(data4.length > 1024){
vErrors = push(vErrors, {instancePath:instancePath+"/n",keyword:"maxLength",params:{limit: 1024}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/n",keyword:"type",params:{}});
errors++;
}
}
if(data.e !== undefined){
let data5 = data.e;
if(typeof data5 === "string"){
if(data5.length > 16){
vErrors = push(vErrors, {instancePath:instancePath+"/e",keyword:"maxLength",params:{limit: 16}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/e",keyword:"type",params:{}});
errors++;
}
}
if(data.kid !== undefined){
let data6 = data.kid;
if(typeof data6 === "string"){
if(data6.length > 256){
vErrors = push(vErrors, {instancePath:instancePath+"/kid",keyword:"maxLength",params:{limit: 256}});
errors++;
}
if(data6.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/kid",keyword:"minLength",params:{limit: 1}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/kid",keyword:"type",params:{}});
errors++;
}
}
if(data.alg !== undefined){
let data7 = data.alg;
if(typeof data7 !== "string"){
vErrors = push(vErrors, {instancePath:instancePath+"/alg",keyword:"type",params:{}});
errors++;
}
if(!(((((data7 === "RS256") || (data7 === "PS256")) || (data7 === "ES256")) || (data7 === "EdDSA")) || (data7 === "Ed25519"))){
vErrors = push(vErrors, {instancePath:instancePath+"/alg",keyword:"enum",params:{}});
errors++;
}
}
if(data.use !== undefined){
let data8 = data.use;
if(typeof data8 !== "string"){
vErrors = push(vErrors, {instancePath:instancePath+"/use",keyword:"type",params:{}});
errors++;
}
if(!(data8 === "sig")){
vErrors = push(vErrors, {instancePath:instancePath+"/use",keyword:"enum",params:{}});
errors++;
}
}
}
else {
vErrors = push(vErrors, {instancePath,keyword:"type",params:{}});
errors++;
}
validate35.errors = vErrors;
return errors === 0;
}


function validate34(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(Array.isArray(data)){
if(data.length > 8){
vErrors = push(vErrors, {instancePath,keyword:"maxItems",params:{limit: 8}});
errors++;
}
if(data.length < 1){
vErrors = push(vErrors, {instancePath,keyword:"minItems",params:{limit: 1}});
errors++;
}
const len0 = data.length;
for(let i0=0; i0<len0; i0++){
if(!(validate35(data[i0], {instancePath:instancePath+"/" + i0,parentData:data,parentDataProperty:i0,rootData}))){
vErrors = concat(vErrors, validate35.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = push(vErrors, {instancePath,keyword:"type",params:{}});
errors++;
}
validate34.errors = vErrors;
return errors === 0;
}


function validate33(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.issuer === undefined){
vErrors = push(vErrors, {instancePath,keyword:"required",params:{missingProperty: "issuer"}});
errors++;
}
if(data.use === undefined){
vErrors = push(vErrors, {instancePath,keyword:"required",params:{missingProperty: "use"}});
errors++;
}
for(const key0 in data){
if(!((((((key0 === "issuer") || (key0 === "use")) || (key0 === "keys")) || (key0 === "subjects")) || (key0 === "max_agents")) || (key0 === "reuse"))){
vErrors = push(vErrors, {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.issuer !== undefined){
let data0 = data.issuer;
if(typeof data0 === "string"){
if(data0.length > 256){
vErrors = push(vErrors, {instancePath:instancePath+"/issuer",keyword:"maxLength",params:{limit: 256}});
errors++;
}
if(data0.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/issuer",keyword:"minLength",params:{limit: 1}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/issuer",keyword:"type",params:{}});
errors++;
}
}
if(data.use !== undefined){
let data1 = data.use;
if(typeof data1 !== "string"){
vErrors = push(vErrors, {instancePath:instancePath+"/use",keyword:"type",params:{}});
errors++;
}
if(!((data1 === "workload") || (data1 === "user"))){
vErrors = push(vErrors, {instancePath:instancePath+"/use",keyword:"enum",params:{}});
errors++;
}
}
if(data.keys !== undefined){
if(!(validate34(data.keys, {instancePath:instancePath+"/keys",parentData:data,parentDataProperty:"keys",rootData}))){
vErrors = concat(vErrors, validate34.errors);
errors = vErrors.length;
}
}
if(data.subjects !== undefined){
let data3 = data.subjects;
if(Array.isArray(data3)){
if(data3.length > 16){
vErrors = push(vErrors, {instancePath:instancePath+"/subjects",keyword:"maxItems",params:{limit: 16}});
errors++;
}
if(data3.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/subjects",keyword:"minItems",params:{limit: 1}});
errors++;
}
const len0 = data3.length;
for(let i0=0; i0<len0; i0++){
let data4 = data3[i0];
if(typeof data4 === "string"){
if(data4.length > 256){
vErrors = push(vErrors, {instancePath:instancePath+"/subjects/" + i0,keyword:"maxLength",params:{limit: 256}});
errors++;
}
if(data4.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/subjects/" + i0,keyword:"minLength",params:{limit: 1}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/subjects/" + i0,keyword:"type",params:{}});
errors++;
}
}
let i1 = data3.length;
let j0;
if(i1 > 1){
const indices0 = {};
for(;i1--;){
let item0 = data3[i1];
if(typeof item0 !== "string"){
continue;
}
if(typeof indices0[item0] == "number"){
j0 = indices0[item0];
vErrors = push(vErrors, {instancePath:instancePath+"/subjects",keyword:"uniqueItems",params:{i: i1, j: j0}});
errors++;
break;
}
indices0[item0] = i1;
}
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/subjects",keyword:"type",params:{}});
errors++;
}
}
if(data.max_agents !== undefined){
let data5 = data.max_agents;
if(!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))){
vErrors = push(vErrors, {instancePath:instancePath+"/max_agents",keyword:"type",params:{}});
errors++;
}
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 > 1000 || isNaN(data5)){
vErrors = push(vErrors, {instancePath:instancePath+"/max_agents",keyword:"maximum",params:{}});
errors++;
}
if(data5 < 1 || isNaN(data5)){
vErrors = push(vErrors, {instancePath:instancePath+"/max_agents",keyword:"minimum",params:{}});
errors++;
}
}
}
if(data.reuse !== undefined){
if(typeof data.reuse !== "boolean"){
vErrors = push(vErrors, {instancePath:instancePath+"/reuse",keyword:"type",params:{}});
errors++;
}
}
}
else {
vErrors = push(vErrors, {instancePath,keyword:"type",params:{}});
errors++;
}
validate33.errors = vErrors;
return errors === 0;
}

const schema17 = {"properties":{"kty":true,"crv":true,"x":true,"y":true,"kid":true,"alg":true,"use":true}};

function validate39(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.kty === undefined){
vErrors = push(vErrors, {instancePath,keyword:"required",params:{missingProperty: "kty"}});
errors++;
}
if(data.crv === undefined){
vErrors = push(vErrors, {instancePath,keyword:"required",params:{missingProperty: "crv"}});
errors++;
}
if(data.x === undefined){
vErrors = push(vErrors, {instancePath,keyword:"required",params:{missingProperty: "x"}});
errors++;
}
if(data.kty !== undefined){
let data0 = data.kty;
if(typeof data0 !== "string"){
vErrors = push(vErrors, {instancePath:instancePath+"/kty",keyword:"type",params:{}});
errors++;
}
if(!((data0 === "OKP") || (data0 === "EC"))){
vErrors = push(vErrors, {instancePath:instancePath+"/kty",keyword:"enum",params:{}});
errors++;
}
}
if(data.crv !== undefined){
let data1 = data.crv;
if(typeof data1 !== "string"){
vErrors = push(vErrors, {instancePath:instancePath+"/crv",keyword:"type",params:{}});
errors++;
}
if(!((data1 === "Ed25519") || (data1 === "P-256"))){
vErrors = push(vErrors, {instancePath:instancePath+"/crv",keyword:"enum",params:{}});
errors++;
}
}
if(data.x !== undefined){
if(typeof data.x !== "string"){
vErrors = push(vErrors, {instancePath:instancePath+"/x",keyword:"type",params:{}});
errors++;
}
}
if(data.y !== undefined){
if(typeof data.y !== "string"){
vErrors = push(vErrors, {instancePath:instancePath+"/y",keyword:"type",params:{}});
errors++;
}
}
if(data.kid !== undefined){
if(typeof data.kid !== "string"){
vErrors = push(vErrors, {instancePath:instancePath+"/kid",keyword:"type",params:{}});
errors++;
}
}
if(data.alg !== undefined){
let data5 = data.alg;
if(typeof data5 !== "string"){
vErrors = push(vErrors, {instancePath:instancePath+"/alg",keyword:"type",params:{}});
errors++;
}
if(!(((data5 === "EdDSA") || (data5 === "Ed25519")) || (data5 === "ES256"))){
vErrors = push(vErrors, {instancePath:instancePath+"/alg",keyword:"enum",params:{}});
errors++;
}
}
if(data.use !== undefined){
let data6 = data.use;
if(typeof data6 !== "string"){
vErrors = push(vErrors, {instancePath:instancePath+"/use",keyword:"type",params:{}});
errors++;
}
if(!(data6 === "sig")){
vErrors = push(vErrors, {instancePath:instancePath+"/use",keyword:"enum",params:{}});
errors++;
}
}
}
else {
vErrors = push(vErrors, {instancePath,keyword:"type",params:{}});
errors++;
}
validate39.errors = vErrors;
return errors === 0;
}


function validate28(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.domain === undefined){
vErrors = push(vErrors, {instancePath,keyword:"required",params:{missingProperty: "domain"}});
errors++;
}
if(data.agent_name === undefined){
vErrors = push(vErrors, {instancePath,keyword:"required",params:{missingProperty: "agent_name"}});
errors++;
}
if(data.allowed_actions === undefined){
vErrors = push(vErrors, {instancePath,keyword:"required",params:{missingProperty: "allowed_actions"}});
errors++;
}
if(data.monetary_limit_per_txn === undefined){
vErrors = push(vErrors, {instancePath,keyword:"required",params:{missingProperty: "monetary_limit_per_txn"}});
errors++;
}
for(const key0 in data){
if(!(func2.call(schema11.properties, key0))){
vErrors = push(vErrors, {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.domain !== undefined){
let data0 = data.domain;
if(typeof data0 === "string"){
if(data0.length > 512){
vErrors = push(vErrors, {instancePath:instancePath+"/domain",keyword:"maxLength",params:{limit: 512}});
errors++;
}
if(data0.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/domain",keyword:"minLength",params:{limit: 1}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/domain",keyword:"type",params:{}});
errors++;
}
}
if(data.agent_name !== undefined){
let data1 = data.agent_name;
if(typeof data1 === "string"){
if(data1.length > 63){
vErrors = push(vErrors, {instancePath:instancePath+"/agent_name",keyword:"maxLength",params:{limit: 63}});
errors++;
}
if(data1.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/agent_name",keyword:"minLength",params:{limit: 1}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/agent_name",keyword:"type",params:{}});
errors++;
}
}
if(data.allowed_actions !== undefined){
let data2 = data.allowed_actions;
if(Array.isArray(data2)){
if(data2.length > 256){
vErrors = push(vErrors, {instancePath:instancePath+"/allowed_actions",keyword:"maxItems",params:{limit: 256}});
errors++;
}
const len0 = data2.length;
for(let i0=0; i0<len0; i0++){
if(typeof data2[i0] !== "string"){
vErrors = push(vErrors, {instancePath:instancePath+"/allowed_actions/" + i0,keyword:"type",params:{}});
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
vErrors = push(vErrors, {instancePath:instancePath+"/allowed_actions",keyword:"uniqueItems",params:{i: i1, j: j0}});
errors++;
break;
}
indices0[item0] = i1;
}
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/allowed_actions",keyword:"type",params:{}});
errors++;
}
}
if(data.monetary_limit_per_txn !== undefined){
let data4 = data.monetary_limit_per_txn;
if((!((typeof data4 == "number") && (isFinite(data4)))) && (typeof data4 !== "string")){
vErrors = push(vErrors, {instancePath:instancePath+"/monetary_limit_per_txn",keyword:"type",params:{}});
errors++;
}
}
if(data.parent_agent_id !== undefined){
let data5 = data.parent_agent_id;
if(typeof data5 === "string"){
if(data5.length > 512){
vErrors = push(vErrors, {instancePath:instancePath+"/parent_agent_id",keyword:"maxLength",params:{limit: 512}});
errors++;
}
if(data5.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/parent_agent_id",keyword:"minLength",params:{limit: 1}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/parent_agent_id",keyword:"type",params:{}});
errors++;
}
}
if(data.denied_actions !== undefined){
let data6 = data.denied_actions;
if(Array.isArray(data6)){
if(data6.length > 256){
vErrors = push(vErrors, {instancePath:instancePath+"/denied_actions",keyword:"maxItems",params:{limit: 256}});
errors++;
}
const len1 = data6.length;
for(let i2=0; i2<len1; i2++){
if(typeof data6[i2] !== "string"){
vErrors = push(vErrors, {instancePath:instancePath+"/denied_actions/" + i2,keyword:"type",params:{}});
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
vErrors = push(vErrors, {instancePath:instancePath+"/denied_actions",keyword:"uniqueItems",params:{i: i3, j: j1}});
errors++;
break;
}
indices1[item1] = i3;
}
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/denied_actions",keyword:"type",params:{}});
errors++;
}
}
if(data.currency !== undefined){
if(typeof data.currency !== "string"){
vErrors = push(vErrors, {instancePath:instancePath+"/currency",keyword:"type",params:{}});
errors++;
}
}
if(data.allowed_targets !== undefined){
let data9 = data.allowed_targets;
if(Array.isArray(data9)){
if(data9.length > 256){
vErrors = push(vErrors, {instancePath:instancePath+"/allowed_targets",keyword:"maxItems",params:{limit: 256}});
errors++;
}
const len2 = data9.length;
for(let i4=0; i4<len2; i4++){
let data10 = data9[i4];
if(typeof data10 === "string"){
if(data10.length > 512){
vErrors = push(vErrors, {instancePath:instancePath+"/allowed_targets/" + i4,keyword:"maxLength",params:{limit: 512}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/allowed_targets/" + i4,keyword:"type",params:{}});
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
vErrors = push(vErrors, {instancePath:instancePath+"/allowed_targets",keyword:"uniqueItems",params:{i: i5, j: j2}});
errors++;
break;
}
indices2[item2] = i5;
}
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/allowed_targets",keyword:"type",params:{}});
errors++;
}
}
if(data.monetary_actions !== undefined){
let data11 = data.monetary_actions;
if(Array.isArray(data11)){
if(data11.length > 256){
vErrors = push(vErrors, {instancePath:instancePath+"/monetary_actions",keyword:"maxItems",params:{limit: 256}});
errors++;
}
const len3 = data11.length;
for(let i6=0; i6<len3; i6++){
if(typeof data11[i6] !== "string"){
vErrors = push(vErrors, {instancePath:instancePath+"/monetary_actions/" + i6,keyword:"type",params:{}});
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
vErrors = push(vErrors, {instancePath:instancePath+"/monetary_actions",keyword:"uniqueItems",params:{i: i7, j: j3}});
errors++;
break;
}
indices3[item3] = i7;
}
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/monetary_actions",keyword:"type",params:{}});
errors++;
}
}
if(data.budgets !== undefined){
let data13 = data.budgets;
if(Array.isArray(data13)){
if(data13.length > 8){
vErrors = push(vErrors, {instancePath:instancePath+"/budgets",keyword:"maxItems",params:{limit: 8}});
errors++;
}
const len4 = data13.length;
for(let i8=0; i8<len4; i8++){
if(!(validate29(data13[i8], {instancePath:instancePath+"/budgets/" + i8,parentData:data13,parentDataProperty:i8,rootData}))){
vErrors = concat(vErrors, validate29.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/budgets",keyword:"type",params:{}});
errors++;
}
}
if(data.approval !== undefined){
let data15 = data.approval;
if(data15 && typeof data15 == "object" && !Array.isArray(data15)){
for(const key1 in data15){
if(!((((((key1 === "above") || (key1 === "actions")) || (key1 === "seconds")) || (key1 === "count")) || (key1 === "by")) || (key1 === "changes"))){
vErrors = push(vErrors, {instancePath:instancePath+"/approval",keyword:"additionalProperties",params:{additionalProperty: key1}});
errors++;
}
}
if(data15.above !== undefined){
let data16 = data15.above;
if((!((typeof data16 == "number") && (isFinite(data16)))) && (typeof data16 !== "string")){
vErrors = push(vErrors, {instancePath:instancePath+"/approval/above",keyword:"type",params:{}});
errors++;
}
}
if(data15.actions !== undefined){
let data17 = data15.actions;
if(Array.isArray(data17)){
if(data17.length > 256){
vErrors = push(vErrors, {instancePath:instancePath+"/approval/actions",keyword:"maxItems",params:{limit: 256}});
errors++;
}
if(data17.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/approval/actions",keyword:"minItems",params:{limit: 1}});
errors++;
}
const len5 = data17.length;
for(let i9=0; i9<len5; i9++){
if(typeof data17[i9] !== "string"){
vErrors = push(vErrors, {instancePath:instancePath+"/approval/actions/" + i9,keyword:"type",params:{}});
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
vErrors = push(vErrors, {instancePath:instancePath+"/approval/actions",keyword:"uniqueItems",params:{i: i10, j: j4}});
errors++;
break;
}
indices4[item4] = i10;
}
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/approval/actions",keyword:"type",params:{}});
errors++;
}
}
if(data15.seconds !== undefined){
let data19 = data15.seconds;
if(!(((typeof data19 == "number") && (!(data19 % 1) && !isNaN(data19))) && (isFinite(data19)))){
vErrors = push(vErrors, {instancePath:instancePath+"/approval/seconds",keyword:"type",params:{}});
errors++;
}
if((typeof data19 == "number") && (isFinite(data19))){
if(data19 > 604800 || isNaN(data19)){
vErrors = push(vErrors, {instancePath:instancePath+"/approval/seconds",keyword:"maximum",params:{}});
errors++;
}
if(data19 < 60 || isNaN(data19)){
vErrors = push(vErrors, {instancePath:instancePath+"/approval/seconds",keyword:"minimum",params:{}});
errors++;
}
}
}
if(data15.count !== undefined){
let data20 = data15.count;
if(!(((typeof data20 == "number") && (!(data20 % 1) && !isNaN(data20))) && (isFinite(data20)))){
vErrors = push(vErrors, {instancePath:instancePath+"/approval/count",keyword:"type",params:{}});
errors++;
}
if((typeof data20 == "number") && (isFinite(data20))){
if(data20 > 3 || isNaN(data20)){
vErrors = push(vErrors, {instancePath:instancePath+"/approval/count",keyword:"maximum",params:{}});
errors++;
}
if(data20 < 1 || isNaN(data20)){
vErrors = push(vErrors, {instancePath:instancePath+"/approval/count",keyword:"minimum",params:{}});
errors++;
}
}
}
if(data15.by !== undefined){
let data21 = data15.by;
if(typeof data21 !== "string"){
vErrors = push(vErrors, {instancePath:instancePath+"/approval/by",keyword:"type",params:{}});
errors++;
}
if(!((data21 === "anyone") || (data21 === "another"))){
vErrors = push(vErrors, {instancePath:instancePath+"/approval/by",keyword:"enum",params:{}});
errors++;
}
}
if(data15.changes !== undefined){
if(typeof data15.changes !== "boolean"){
vErrors = push(vErrors, {instancePath:instancePath+"/approval/changes",keyword:"type",params:{}});
errors++;
}
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/approval",keyword:"type",params:{}});
errors++;
}
}
if(data.conditions !== undefined){
let data23 = data.conditions;
if(Array.isArray(data23)){
if(data23.length > 16){
vErrors = push(vErrors, {instancePath:instancePath+"/conditions",keyword:"maxItems",params:{limit: 16}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/conditions",keyword:"type",params:{}});
errors++;
}
}
if(data.pace !== undefined){
let data24 = data.pace;
if(Array.isArray(data24)){
if(data24.length > 4){
vErrors = push(vErrors, {instancePath:instancePath+"/pace",keyword:"maxItems",params:{limit: 4}});
errors++;
}
const len6 = data24.length;
for(let i11=0; i11<len6; i11++){
if(!(validate31(data24[i11], {instancePath:instancePath+"/pace/" + i11,parentData:data24,parentDataProperty:i11,rootData}))){
vErrors = concat(vErrors, validate31.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/pace",keyword:"type",params:{}});
errors++;
}
}
if(data.order !== undefined){
let data26 = data.order;
if(Array.isArray(data26)){
if(data26.length > 8){
vErrors = push(vErrors, {instancePath:instancePath+"/order",keyword:"maxItems",params:{limit: 8}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/order",keyword:"type",params:{}});
errors++;
}
}
if(data.trusted_issuers !== undefined){
let data27 = data.trusted_issuers;
if(Array.isArray(data27)){
if(data27.length > 8){
vErrors = push(vErrors, {instancePath:instancePath+"/trusted_issuers",keyword:"maxItems",params:{limit: 8}});
errors++;
}
const len7 = data27.length;
for(let i12=0; i12<len7; i12++){
if(!(validate33(data27[i12], {instancePath:instancePath+"/trusted_issuers/" + i12,parentData:data27,parentDataProperty:i12,rootData}))){
vErrors = concat(vErrors, validate33.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/trusted_issuers",keyword:"type",params:{}});
errors++;
}
}
if(data.not_before !== undefined){
let data29 = data.not_before;
if(typeof data29 === "string"){
if(data29.length > 64){
vErrors = push(vErrors, {instancePath:instancePath+"/not_before",keyword:"maxLength",params:{limit: 64}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/not_before",keyword:"type",params:{}});
errors++;
}
}
if(data.expires_at !== undefined){
let data30 = data.expires_at;
if(typeof data30 === "string"){
if(data30.length > 64){
vErrors = push(vErrors, {instancePath:instancePath+"/expires_at",keyword:"maxLength",params:{limit: 64}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/expires_at",keyword:"type",params:{}});
errors++;
}
}
if(data.proof !== undefined){
let data31 = data.proof;
if(typeof data31 !== "string"){
vErrors = push(vErrors, {instancePath:instancePath+"/proof",keyword:"type",params:{}});
errors++;
}
if(!(((data31 === "optional") || (data31 === "identity")) || (data31 === "intent"))){
vErrors = push(vErrors, {instancePath:instancePath+"/proof",keyword:"enum",params:{}});
errors++;
}
}
if(data.description !== undefined){
let data32 = data.description;
if(typeof data32 === "string"){
if(data32.length > 500){
vErrors = push(vErrors, {instancePath:instancePath+"/description",keyword:"maxLength",params:{limit: 500}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/description",keyword:"type",params:{}});
errors++;
}
}
if(data.public_keys !== undefined){
let data33 = data.public_keys;
if(Array.isArray(data33)){
if(data33.length > 4){
vErrors = push(vErrors, {instancePath:instancePath+"/public_keys",keyword:"maxItems",params:{limit: 4}});
errors++;
}
const len8 = data33.length;
for(let i13=0; i13<len8; i13++){
if(!(validate39(data33[i13], {instancePath:instancePath+"/public_keys/" + i13,parentData:data33,parentDataProperty:i13,rootData}))){
vErrors = concat(vErrors, validate39.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/public_keys",keyword:"type",params:{}});
errors++;
}
}
if(data.metadata !== undefined){
let data35 = data.metadata;
if(data35 && typeof data35 == "object" && !Array.isArray(data35)){
if(Object.keys(data35).length > 20){
vErrors = push(vErrors, {instancePath:instancePath+"/metadata",keyword:"maxProperties",params:{limit: 20}});
errors++;
}
for(const key2 in data35){
let data36 = data35[key2];
if(typeof data36 === "string"){
if(data36.length > 500){
vErrors = push(vErrors, {instancePath:instancePath+"/metadata/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),keyword:"maxLength",params:{limit: 500}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/metadata/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),keyword:"type",params:{}});
errors++;
}
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/metadata",keyword:"type",params:{}});
errors++;
}
}
if(data.owner !== undefined){
let data37 = data.owner;
if(typeof data37 === "string"){
if(data37.length > 200){
vErrors = push(vErrors, {instancePath:instancePath+"/owner",keyword:"maxLength",params:{limit: 200}});
errors++;
}
if(data37.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/owner",keyword:"minLength",params:{limit: 1}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/owner",keyword:"type",params:{}});
errors++;
}
}
if(data.managed_by !== undefined){
let data38 = data.managed_by;
if(typeof data38 === "string"){
if(data38.length > 64){
vErrors = push(vErrors, {instancePath:instancePath+"/managed_by",keyword:"maxLength",params:{limit: 64}});
errors++;
}
if(data38.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/managed_by",keyword:"minLength",params:{limit: 1}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/managed_by",keyword:"type",params:{}});
errors++;
}
}
}
else {
vErrors = push(vErrors, {instancePath,keyword:"type",params:{}});
errors++;
}
validate28.errors = vErrors;
return errors === 0;
}

const PassportPatch: Validator = validate41;
const schema18 = {"properties":{"allowed_actions":true,"monetary_limit_per_txn":true,"denied_actions":true,"currency":true,"allowed_targets":true,"monetary_actions":true,"budgets":true,"approval":true,"conditions":true,"pace":true,"order":true,"trusted_issuers":true,"not_before":true,"expires_at":true,"proof":true,"description":true,"public_keys":true,"metadata":true,"owner":true,"managed_by":true}};

function validate41(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!(func2.call(schema18.properties, key0))){
vErrors = push(vErrors, {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.allowed_actions !== undefined){
let data0 = data.allowed_actions;
if(Array.isArray(data0)){
if(data0.length > 256){
vErrors = push(vErrors, {instancePath:instancePath+"/allowed_actions",keyword:"maxItems",params:{limit: 256}});
errors++;
}
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
if(typeof data0[i0] !== "string"){
vErrors = push(vErrors, {instancePath:instancePath+"/allowed_actions/" + i0,keyword:"type",params:{}});
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
vErrors = push(vErrors, {instancePath:instancePath+"/allowed_actions",keyword:"uniqueItems",params:{i: i1, j: j0}});
errors++;
break;
}
indices0[item0] = i1;
}
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/allowed_actions",keyword:"type",params:{}});
errors++;
}
}
if(data.monetary_limit_per_txn !== undefined){
let data2 = data.monetary_limit_per_txn;
if((!((typeof data2 == "number") && (isFinite(data2)))) && (typeof data2 !== "string")){
vErrors = push(vErrors, {instancePath:instancePath+"/monetary_limit_per_txn",keyword:"type",params:{}});
errors++;
}
}
if(data.denied_actions !== undefined){
let data3 = data.denied_actions;
if((!(Array.isArray(data3))) && (data3 !== null)){
vErrors = push(vErrors, {instancePath:instancePath+"/denied_actions",keyword:"type",params:{}});
errors++;
}
if(Array.isArray(data3)){
if(data3.length > 256){
vErrors = push(vErrors, {instancePath:instancePath+"/denied_actions",keyword:"maxItems",params:{limit: 256}});
errors++;
}
const len1 = data3.length;
for(let i2=0; i2<len1; i2++){
if(typeof data3[i2] !== "string"){
vErrors = push(vErrors, {instancePath:instancePath+"/denied_actions/" + i2,keyword:"type",params:{}});
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
vErrors = push(vErrors, {instancePath:instancePath+"/denied_actions",keyword:"uniqueItems",params:{i: i3, j: j1}});
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
vErrors = push(vErrors, {instancePath:instancePath+"/currency",keyword:"type",params:{}});
errors++;
}
}
if(data.allowed_targets !== undefined){
let data6 = data.allowed_targets;
if((!(Array.isArray(data6))) && (data6 !== null)){
vErrors = push(vErrors, {instancePath:instancePath+"/allowed_targets",keyword:"type",params:{}});
errors++;
}
if(Array.isArray(data6)){
if(data6.length > 256){
vErrors = push(vErrors, {instancePath:instancePath+"/allowed_targets",keyword:"maxItems",params:{limit: 256}});
errors++;
}
const len2 = data6.length;
for(let i4=0; i4<len2; i4++){
let data7 = data6[i4];
if(typeof data7 === "string"){
if(data7.length > 512){
vErrors = push(vErrors, {instancePath:instancePath+"/allowed_targets/" + i4,keyword:"maxLength",params:{limit: 512}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/allowed_targets/" + i4,keyword:"type",params:{}});
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
vErrors = push(vErrors, {instancePath:instancePath+"/allowed_targets",keyword:"uniqueItems",params:{i: i5, j: j2}});
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
vErrors = push(vErrors, {instancePath:instancePath+"/monetary_actions",keyword:"type",params:{}});
errors++;
}
if(Array.isArray(data8)){
if(data8.length > 256){
vErrors = push(vErrors, {instancePath:instancePath+"/monetary_actions",keyword:"maxItems",params:{limit: 256}});
errors++;
}
const len3 = data8.length;
for(let i6=0; i6<len3; i6++){
if(typeof data8[i6] !== "string"){
vErrors = push(vErrors, {instancePath:instancePath+"/monetary_actions/" + i6,keyword:"type",params:{}});
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
vErrors = push(vErrors, {instancePath:instancePath+"/monetary_actions",keyword:"uniqueItems",params:{i: i7, j: j3}});
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
vErrors = push(vErrors, {instancePath:instancePath+"/budgets",keyword:"type",params:{}});
errors++;
}
if(Array.isArray(data10)){
if(data10.length > 8){
vErrors = push(vErrors, {instancePath:instancePath+"/budgets",keyword:"maxItems",params:{limit: 8}});
errors++;
}
const len4 = data10.length;
for(let i8=0; i8<len4; i8++){
if(!(validate29(data10[i8], {instancePath:instancePath+"/budgets/" + i8,parentData:data10,parentDataProperty:i8,rootData}))){
vErrors = concat(vErrors, validate29.errors);
errors = vErrors.length;
}
}
}
}
if(data.approval !== undefined){
let data12 = data.approval;
if((!(data12 && typeof data12 == "object" && !Array.isArray(data12))) && (data12 !== null)){
vErrors = push(vErrors, {instancePath:instancePath+"/approval",keyword:"type",params:{}});
errors++;
}
if(data12 && typeof data12 == "object" && !Array.isArray(data12)){
for(const key1 in data12){
if(!((((((key1 === "above") || (key1 === "actions")) || (key1 === "seconds")) || (key1 === "count")) || (key1 === "by")) || (key1 === "changes"))){
vErrors = push(vErrors, {instancePath:instancePath+"/approval",keyword:"additionalProperties",params:{additionalProperty: key1}});
errors++;
}
}
if(data12.above !== undefined){
let data13 = data12.above;
if(((!((typeof data13 == "number") && (isFinite(data13)))) && (typeof data13 !== "string")) && (data13 !== null)){
vErrors = push(vErrors, {instancePath:instancePath+"/approval/above",keyword:"type",params:{}});
errors++;
}
}
if(data12.actions !== undefined){
let data14 = data12.actions;
if((!(Array.isArray(data14))) && (data14 !== null)){
vErrors = push(vErrors, {instancePath:instancePath+"/approval/actions",keyword:"type",params:{}});
errors++;
}
if(Array.isArray(data14)){
if(data14.length > 256){
vErrors = push(vErrors, {instancePath:instancePath+"/approval/actions",keyword:"maxItems",params:{limit: 256}});
errors++;
}
if(data14.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/approval/actions",keyword:"minItems",params:{limit: 1}});
errors++;
}
const len5 = data14.length;
for(let i9=0; i9<len5; i9++){
if(typeof data14[i9] !== "string"){
vErrors = push(vErrors, {instancePath:instancePath+"/approval/actions/" + i9,keyword:"type",params:{}});
errors++;
}
}
let i10 = data14.length;
let j4;
if(i10 > 1){
const indices4 = {};
for(;i10--;){
let item4 = data14[i10];
if(typeof item4 !== "string"){
continue;
}
if(typeof indices4[item4] == "number"){
j4 = indices4[item4];
vErrors = push(vErrors, {instancePath:instancePath+"/approval/actions",keyword:"uniqueItems",params:{i: i10, j: j4}});
errors++;
break;
}
indices4[item4] = i10;
}
}
}
}
if(data12.seconds !== undefined){
let data16 = data12.seconds;
if((!(((typeof data16 == "number") && (!(data16 % 1) && !isNaN(data16))) && (isFinite(data16)))) && (data16 !== null)){
vErrors = push(vErrors, {instancePath:instancePath+"/approval/seconds",keyword:"type",params:{}});
errors++;
}
if((typeof data16 == "number") && (isFinite(data16))){
if(data16 > 604800 || isNaN(data16)){
vErrors = push(vErrors, {instancePath:instancePath+"/approval/seconds",keyword:"maximum",params:{}});
errors++;
}
if(data16 < 60 || isNaN(data16)){
vErrors = push(vErrors, {instancePath:instancePath+"/approval/seconds",keyword:"minimum",params:{}});
errors++;
}
}
}
if(data12.count !== undefined){
let data17 = data12.count;
if((!(((typeof data17 == "number") && (!(data17 % 1) && !isNaN(data17))) && (isFinite(data17)))) && (data17 !== null)){
vErrors = push(vErrors, {instancePath:instancePath+"/approval/count",keyword:"type",params:{}});
errors++;
}
if((typeof data17 == "number") && (isFinite(data17))){
if(data17 > 3 || isNaN(data17)){
vErrors = push(vErrors, {instancePath:instancePath+"/approval/count",keyword:"maximum",params:{}});
errors++;
}
if(data17 < 1 || isNaN(data17)){
vErrors = push(vErrors, {instancePath:instancePath+"/approval/count",keyword:"minimum",params:{}});
errors++;
}
}
}
if(data12.by !== undefined){
let data18 = data12.by;
if((typeof data18 !== "string") && (data18 !== null)){
vErrors = push(vErrors, {instancePath:instancePath+"/approval/by",keyword:"type",params:{}});
errors++;
}
if(!(((data18 === "anyone") || (data18 === "another")) || (data18 === null))){
vErrors = push(vErrors, {instancePath:instancePath+"/approval/by",keyword:"enum",params:{}});
errors++;
}
}
if(data12.changes !== undefined){
let data19 = data12.changes;
if((typeof data19 !== "boolean") && (data19 !== null)){
vErrors = push(vErrors, {instancePath:instancePath+"/approval/changes",keyword:"type",params:{}});
errors++;
}
}
}
}
if(data.conditions !== undefined){
let data20 = data.conditions;
if((!(Array.isArray(data20))) && (data20 !== null)){
vErrors = push(vErrors, {instancePath:instancePath+"/conditions",keyword:"type",params:{}});
errors++;
}
if(Array.isArray(data20)){
if(data20.length > 16){
vErrors = push(vErrors, {instancePath:instancePath+"/conditions",keyword:"maxItems",params:{limit: 16}});
errors++;
}
}
}
if(data.pace !== undefined){
let data21 = data.pace;
if((!(Array.isArray(data21))) && (data21 !== null)){
vErrors = push(vErrors, {instancePath:instancePath+"/pace",keyword:"type",params:{}});
errors++;
}
if(Array.isArray(data21)){
if(data21.length > 4){
vErrors = push(vErrors, {instancePath:instancePath+"/pace",keyword:"maxItems",params:{limit: 4}});
errors++;
}
const len6 = data21.length;
for(let i11=0; i11<len6; i11++){
if(!(validate31(data21[i11], {instancePath:instancePath+"/pace/" + i11,parentData:data21,parentDataProperty:i11,rootData}))){
vErrors = concat(vErrors, validate31.errors);
errors = vErrors.length;
}
}
}
}
if(data.order !== undefined){
let data23 = data.order;
if((!(Array.isArray(data23))) && (data23 !== null)){
vErrors = push(vErrors, {instancePath:instancePath+"/order",keyword:"type",params:{}});
errors++;
}
if(Array.isArray(data23)){
if(data23.length > 8){
vErrors = push(vErrors, {instancePath:instancePath+"/order",keyword:"maxItems",params:{limit: 8}});
errors++;
}
}
}
if(data.trusted_issuers !== undefined){
let data24 = data.trusted_issuers;
if((!(Array.isArray(data24))) && (data24 !== null)){
vErrors = push(vErrors, {instancePath:instancePath+"/trusted_issuers",keyword:"type",params:{}});
errors++;
}
if(Array.isArray(data24)){
if(data24.length > 8){
vErrors = push(vErrors, {instancePath:instancePath+"/trusted_issuers",keyword:"maxItems",params:{limit: 8}});
errors++;
}
const len7 = data24.length;
for(let i12=0; i12<len7; i12++){
if(!(validate33(data24[i12], {instancePath:instancePath+"/trusted_issuers/" + i12,parentData:data24,parentDataProperty:i12,rootData}))){
vErrors = concat(vErrors, validate33.errors);
errors = vErrors.length;
}
}
}
}
if(data.not_before !== undefined){
let data26 = data.not_before;
if((typeof data26 !== "string") && (data26 !== null)){
vErrors = push(vErrors, {instancePath:instancePath+"/not_before",keyword:"type",params:{}});
errors++;
}
if(typeof data26 === "string"){
if(data26.length > 64){
vErrors = push(vErrors, {instancePath:instancePath+"/not_before",keyword:"maxLength",params:{limit: 64}});
errors++;
}
}
}
if(data.expires_at !== undefined){
let data27 = data.expires_at;
if((typeof data27 !== "string") && (data27 !== null)){
vErrors = push(vErrors, {instancePath:instancePath+"/expires_at",keyword:"type",params:{}});
errors++;
}
if(typeof data27 === "string"){
if(data27.length > 64){
vErrors = push(vErrors, {instancePath:instancePath+"/expires_at",keyword:"maxLength",params:{limit: 64}});
errors++;
}
}
}
if(data.proof !== undefined){
let data28 = data.proof;
if((typeof data28 !== "string") && (data28 !== null)){
vErrors = push(vErrors, {instancePath:instancePath+"/proof",keyword:"type",params:{}});
errors++;
}
if(!((((data28 === "optional") || (data28 === "identity")) || (data28 === "intent")) || (data28 === null))){
vErrors = push(vErrors, {instancePath:instancePath+"/proof",keyword:"enum",params:{}});
errors++;
}
}
if(data.description !== undefined){
let data29 = data.description;
if((typeof data29 !== "string") && (data29 !== null)){
vErrors = push(vErrors, {instancePath:instancePath+"/description",keyword:"type",params:{}});
errors++;
}
if(typeof data29 === "string"){
if(data29.length > 500){
vErrors = push(vErrors, {instancePath:instancePath+"/description",keyword:"maxLength",params:{limit: 500}});
errors++;
}
}
}
if(data.public_keys !== undefined){
let data30 = data.public_keys;
if((!(Array.isArray(data30))) && (data30 !== null)){
vErrors = push(vErrors, {instancePath:instancePath+"/public_keys",keyword:"type",params:{}});
errors++;
}
if(Array.isArray(data30)){
if(data30.length > 4){
vErrors = push(vErrors, {instancePath:instancePath+"/public_keys",keyword:"maxItems",params:{limit: 4}});
errors++;
}
const len8 = data30.length;
for(let i13=0; i13<len8; i13++){
if(!(validate39(data30[i13], {instancePath:instancePath+"/public_keys/" + i13,parentData:data30,parentDataProperty:i13,rootData}))){
vErrors = concat(vErrors, validate39.errors);
errors = vErrors.length;
}
}
}
}
if(data.metadata !== undefined){
let data32 = data.metadata;
if((!(data32 && typeof data32 == "object" && !Array.isArray(data32))) && (data32 !== null)){
vErrors = push(vErrors, {instancePath:instancePath+"/metadata",keyword:"type",params:{}});
errors++;
}
if(data32 && typeof data32 == "object" && !Array.isArray(data32)){
for(const key2 in data32){
let data33 = data32[key2];
if((typeof data33 !== "string") && (data33 !== null)){
vErrors = push(vErrors, {instancePath:instancePath+"/metadata/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),keyword:"type",params:{}});
errors++;
}
if(typeof data33 === "string"){
if(data33.length > 500){
vErrors = push(vErrors, {instancePath:instancePath+"/metadata/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),keyword:"maxLength",params:{limit: 500}});
errors++;
}
}
}
}
}
if(data.owner !== undefined){
let data34 = data.owner;
if((typeof data34 !== "string") && (data34 !== null)){
vErrors = push(vErrors, {instancePath:instancePath+"/owner",keyword:"type",params:{}});
errors++;
}
if(typeof data34 === "string"){
if(data34.length > 200){
vErrors = push(vErrors, {instancePath:instancePath+"/owner",keyword:"maxLength",params:{limit: 200}});
errors++;
}
if(data34.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/owner",keyword:"minLength",params:{limit: 1}});
errors++;
}
}
}
if(data.managed_by !== undefined){
let data35 = data.managed_by;
if((typeof data35 !== "string") && (data35 !== null)){
vErrors = push(vErrors, {instancePath:instancePath+"/managed_by",keyword:"type",params:{}});
errors++;
}
if(typeof data35 === "string"){
if(data35.length > 64){
vErrors = push(vErrors, {instancePath:instancePath+"/managed_by",keyword:"maxLength",params:{limit: 64}});
errors++;
}
if(data35.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/managed_by",keyword:"minLength",params:{limit: 1}});
errors++;
}
}
}
}
else {
vErrors = push(vErrors, {instancePath,keyword:"type",params:{}});
errors++;
}
validate41.errors = vErrors;
return errors === 0;
}

const TryRequest: Validator = validate46;
const schema19 = {"properties":{"patch":true,"intent":true}};
const schema20 = {"properties":{"agent_id":true,"action":true,"target":true,"parameters":true,"proof":true,"dry_run":true,"approval_id":true,"hold_seconds":true,"subject":true,"session":true,"usage":true,"permit":true}};
const pattern0 = new RegExp("^(?:[^\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff]|[\\ud800-\\udbff][\\udc00-\\udfff])+$", "u");
const pattern1 = new RegExp("^[\\u0021-\\u007e]*$", "u");
const pattern2 = new RegExp("^(?!test:)[!-~]{1,256}$", "u");
const schema21 = {"properties":{"tokens":true,"credits":true}};

function validate49(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!((key0 === "tokens") || (key0 === "credits"))){
vErrors = push(vErrors, {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.tokens !== undefined){
let data0 = data.tokens;
if((!((typeof data0 == "number") && (isFinite(data0)))) && (typeof data0 !== "string")){
vErrors = push(vErrors, {instancePath:instancePath+"/tokens",keyword:"type",params:{}});
errors++;
}
}
if(data.credits !== undefined){
let data1 = data.credits;
if((!((typeof data1 == "number") && (isFinite(data1)))) && (typeof data1 !== "string")){
vErrors = push(vErrors, {instancePath:instancePath+"/credits",keyword:"type",params:{}});
errors++;
}
}
}
else {
vErrors = push(vErrors, {instancePath,keyword:"type",params:{}});
errors++;
}
validate49.errors = vErrors;
return errors === 0;
}


function validate48(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.agent_id === undefined){
vErrors = push(vErrors, {instancePath,keyword:"required",params:{missingProperty: "agent_id"}});
errors++;
}
if(data.action === undefined){
vErrors = push(vErrors, {instancePath,keyword:"required",params:{missingProperty: "action"}});
errors++;
}
for(const key0 in data){
if(!(func2.call(schema20.properties, key0))){
vErrors = push(vErrors, {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.agent_id !== undefined){
let data0 = data.agent_id;
if(typeof data0 === "string"){
if(data0.length > 512){
vErrors = push(vErrors, {instancePath:instancePath+"/agent_id",keyword:"maxLength",params:{limit: 512}});
errors++;
}
if(data0.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/agent_id",keyword:"minLength",params:{limit: 1}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/agent_id",keyword:"type",params:{}});
errors++;
}
}
if(data.action !== undefined){
let data1 = data.action;
if(typeof data1 === "string"){
if(data1.length > 256){
vErrors = push(vErrors, {instancePath:instancePath+"/action",keyword:"maxLength",params:{limit: 256}});
errors++;
}
if(data1.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/action",keyword:"minLength",params:{limit: 1}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/action",keyword:"type",params:{}});
errors++;
}
}
if(data.target !== undefined){
let data2 = data.target;
if(typeof data2 === "string"){
if(data2.length > 512){
vErrors = push(vErrors, {instancePath:instancePath+"/target",keyword:"maxLength",params:{limit: 512}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/target",keyword:"type",params:{}});
errors++;
}
}
if(data.parameters !== undefined){
let data3 = data.parameters;
if(!(data3 && typeof data3 == "object" && !Array.isArray(data3))){
vErrors = push(vErrors, {instancePath:instancePath+"/parameters",keyword:"type",params:{}});
errors++;
}
}
if(data.proof !== undefined){
if(typeof data.proof !== "string"){
vErrors = push(vErrors, {instancePath:instancePath+"/proof",keyword:"type",params:{}});
errors++;
}
}
if(data.dry_run !== undefined){
if(typeof data.dry_run !== "boolean"){
vErrors = push(vErrors, {instancePath:instancePath+"/dry_run",keyword:"type",params:{}});
errors++;
}
}
if(data.approval_id !== undefined){
let data6 = data.approval_id;
if(typeof data6 === "string"){
if(data6.length > 128){
vErrors = push(vErrors, {instancePath:instancePath+"/approval_id",keyword:"maxLength",params:{limit: 128}});
errors++;
}
if(data6.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/approval_id",keyword:"minLength",params:{limit: 1}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/approval_id",keyword:"type",params:{}});
errors++;
}
}
if(data.hold_seconds !== undefined){
let data7 = data.hold_seconds;
if(!(((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7))) && (isFinite(data7)))){
vErrors = push(vErrors, {instancePath:instancePath+"/hold_seconds",keyword:"type",params:{}});
errors++;
}
if((typeof data7 == "number") && (isFinite(data7))){
if(data7 > 604800 || isNaN(data7)){
vErrors = push(vErrors, {instancePath:instancePath+"/hold_seconds",keyword:"maximum",params:{}});
errors++;
}
if(data7 < 1 || isNaN(data7)){
vErrors = push(vErrors, {instancePath:instancePath+"/hold_seconds",keyword:"minimum",params:{}});
errors++;
}
}
}
if(data.subject !== undefined){
let data8 = data.subject;
if(typeof data8 === "string"){
if(data8.length > 256){
vErrors = push(vErrors, {instancePath:instancePath+"/subject",keyword:"maxLength",params:{limit: 256}});
errors++;
}
if(data8.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/subject",keyword:"minLength",params:{limit: 1}});
errors++;
}
if(!pattern0.test(data8)){
vErrors = push(vErrors, {instancePath:instancePath+"/subject",keyword:"pattern",params:{}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/subject",keyword:"type",params:{}});
errors++;
}
}
if(data.session !== undefined){
let data9 = data.session;
if(typeof data9 === "string"){
if(data9.length > 128){
vErrors = push(vErrors, {instancePath:instancePath+"/session",keyword:"maxLength",params:{limit: 128}});
errors++;
}
if(data9.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/session",keyword:"minLength",params:{limit: 1}});
errors++;
}
if(!pattern1.test(data9)){
vErrors = push(vErrors, {instancePath:instancePath+"/session",keyword:"pattern",params:{}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/session",keyword:"type",params:{}});
errors++;
}
}
if(data.usage !== undefined){
if(!(validate49(data.usage, {instancePath:instancePath+"/usage",parentData:data,parentDataProperty:"usage",rootData}))){
vErrors = concat(vErrors, validate49.errors);
errors = vErrors.length;
}
}
if(data.permit !== undefined){
let data11 = data.permit;
if(data11 && typeof data11 == "object" && !Array.isArray(data11)){
if(data11.audience === undefined){
vErrors = push(vErrors, {instancePath:instancePath+"/permit",keyword:"required",params:{missingProperty: "audience"}});
errors++;
}
for(const key1 in data11){
if(!(((key1 === "audience") || (key1 === "seconds")) || (key1 === "bind"))){
vErrors = push(vErrors, {instancePath:instancePath+"/permit",keyword:"additionalProperties",params:{additionalProperty: key1}});
errors++;
}
}
if(data11.audience !== undefined){
let data12 = data11.audience;
if(typeof data12 === "string"){
if(!pattern2.test(data12)){
vErrors = push(vErrors, {instancePath:instancePath+"/permit/audience",keyword:"pattern",params:{}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/permit/audience",keyword:"type",params:{}});
errors++;
}
}
if(data11.seconds !== undefined){
let data13 = data11.seconds;
if(!(((typeof data13 == "number") && (!(data13 % 1) && !isNaN(data13))) && (isFinite(data13)))){
vErrors = push(vErrors, {instancePath:instancePath+"/permit/seconds",keyword:"type",params:{}});
errors++;
}
if((typeof data13 == "number") && (isFinite(data13))){
if(data13 > 60 || isNaN(data13)){
vErrors = push(vErrors, {instancePath:instancePath+"/permit/seconds",keyword:"maximum",params:{}});
errors++;
}
if(data13 < 1 || isNaN(data13)){
vErrors = push(vErrors, {instancePath:instancePath+"/permit/seconds",keyword:"minimum",params:{}});
errors++;
}
}
}
if(data11.bind !== undefined){
if(typeof data11.bind !== "boolean"){
vErrors = push(vErrors, {instancePath:instancePath+"/permit/bind",keyword:"type",params:{}});
errors++;
}
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/permit",keyword:"type",params:{}});
errors++;
}
}
}
else {
vErrors = push(vErrors, {instancePath,keyword:"type",params:{}});
errors++;
}
validate48.errors = vErrors;
return errors === 0;
}


function validate46(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.intent === undefined){
vErrors = push(vErrors, {instancePath,keyword:"required",params:{missingProperty: "intent"}});
errors++;
}
for(const key0 in data){
if(!((key0 === "patch") || (key0 === "intent"))){
vErrors = push(vErrors, {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.patch !== undefined){
if(!(validate41(data.patch, {instancePath:instancePath+"/patch",parentData:data,parentDataProperty:"patch",rootData}))){
vErrors = concat(vErrors, validate41.errors);
errors = vErrors.length;
}
}
if(data.intent !== undefined){
if(!(validate48(data.intent, {instancePath:instancePath+"/intent",parentData:data,parentDataProperty:"intent",rootData}))){
vErrors = concat(vErrors, validate48.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = push(vErrors, {instancePath,keyword:"type",params:{}});
errors++;
}
validate46.errors = vErrors;
return errors === 0;
}

const ReplayRequest: Validator = validate52;
const schema22 = {"properties":{"patch":true,"from":true,"to":true,"environment":true,"passport":true,"examples":true}};

function validate52(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!((((((key0 === "patch") || (key0 === "from")) || (key0 === "to")) || (key0 === "environment")) || (key0 === "passport")) || (key0 === "examples"))){
vErrors = push(vErrors, {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.patch !== undefined){
if(!(validate41(data.patch, {instancePath:instancePath+"/patch",parentData:data,parentDataProperty:"patch",rootData}))){
vErrors = concat(vErrors, validate41.errors);
errors = vErrors.length;
}
}
if(data.from !== undefined){
let data1 = data.from;
if(typeof data1 === "string"){
if(data1.length > 64){
vErrors = push(vErrors, {instancePath:instancePath+"/from",keyword:"maxLength",params:{limit: 64}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/from",keyword:"type",params:{}});
errors++;
}
}
if(data.to !== undefined){
let data2 = data.to;
if(typeof data2 === "string"){
if(data2.length > 64){
vErrors = push(vErrors, {instancePath:instancePath+"/to",keyword:"maxLength",params:{limit: 64}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/to",keyword:"type",params:{}});
errors++;
}
}
if(data.environment !== undefined){
let data3 = data.environment;
if(typeof data3 !== "string"){
vErrors = push(vErrors, {instancePath:instancePath+"/environment",keyword:"type",params:{}});
errors++;
}
if(!((data3 === "live") || (data3 === "test"))){
vErrors = push(vErrors, {instancePath:instancePath+"/environment",keyword:"enum",params:{}});
errors++;
}
}
if(data.passport !== undefined){
let data4 = data.passport;
if(typeof data4 !== "string"){
vErrors = push(vErrors, {instancePath:instancePath+"/passport",keyword:"type",params:{}});
errors++;
}
if(!((data4 === "current") || (data4 === "recorded"))){
vErrors = push(vErrors, {instancePath:instancePath+"/passport",keyword:"enum",params:{}});
errors++;
}
}
if(data.examples !== undefined){
let data5 = data.examples;
if(!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))){
vErrors = push(vErrors, {instancePath:instancePath+"/examples",keyword:"type",params:{}});
errors++;
}
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 > 100 || isNaN(data5)){
vErrors = push(vErrors, {instancePath:instancePath+"/examples",keyword:"maximum",params:{}});
errors++;
}
if(data5 < 0 || isNaN(data5)){
vErrors = push(vErrors, {instancePath:instancePath+"/examples",keyword:"minimum",params:{}});
errors++;
}
}
}
}
else {
vErrors = push(vErrors, {instancePath,keyword:"type",params:{}});
errors++;
}
validate52.errors = vErrors;
return errors === 0;
}

const Intent: Validator = validate48;

const IntentBatch: Validator = validate54;
const schema23 = {"properties":{"intents":true}};

function validate54(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.intents === undefined){
vErrors = push(vErrors, {instancePath,keyword:"required",params:{missingProperty: "intents"}});
errors++;
}
for(const key0 in data){
if(!(key0 === "intents")){
vErrors = push(vErrors, {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.intents !== undefined){
let data0 = data.intents;
if(Array.isArray(data0)){
if(data0.length > 100){
vErrors = push(vErrors, {instancePath:instancePath+"/intents",keyword:"maxItems",params:{limit: 100}});
errors++;
}
if(data0.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/intents",keyword:"minItems",params:{limit: 1}});
errors++;
}
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
if(!(validate48(data0[i0], {instancePath:instancePath+"/intents/" + i0,parentData:data0,parentDataProperty:i0,rootData}))){
vErrors = concat(vErrors, validate48.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/intents",keyword:"type",params:{}});
errors++;
}
}
}
else {
vErrors = push(vErrors, {instancePath,keyword:"type",params:{}});
errors++;
}
validate54.errors = vErrors;
return errors === 0;
}

const OutcomesRequest: Validator = validate56;
const schema24 = {"properties":{"outcomes":true}};

function validate56(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.outcomes === undefined){
vErrors = push(vErrors, {instancePath,keyword:"required",params:{missingProperty: "outcomes"}});
errors++;
}
for(const key0 in data){
if(!(key0 === "outcomes")){
vErrors = push(vErrors, {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.outcomes !== undefined){
let data0 = data.outcomes;
if(Array.isArray(data0)){
if(data0.length > 100){
vErrors = push(vErrors, {instancePath:instancePath+"/outcomes",keyword:"maxItems",params:{limit: 100}});
errors++;
}
if(data0.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/outcomes",keyword:"minItems",params:{limit: 1}});
errors++;
}
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
let data1 = data0[i0];
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(data1.decision_id === undefined){
vErrors = push(vErrors, {instancePath:instancePath+"/outcomes/" + i0,keyword:"required",params:{missingProperty: "decision_id"}});
errors++;
}
if(data1.evaluated_at === undefined){
vErrors = push(vErrors, {instancePath:instancePath+"/outcomes/" + i0,keyword:"required",params:{missingProperty: "evaluated_at"}});
errors++;
}
if(data1.agent_id === undefined){
vErrors = push(vErrors, {instancePath:instancePath+"/outcomes/" + i0,keyword:"required",params:{missingProperty: "agent_id"}});
errors++;
}
if(data1.outcome === undefined){
vErrors = push(vErrors, {instancePath:instancePath+"/outcomes/" + i0,keyword:"required",params:{missingProperty: "outcome"}});
errors++;
}
for(const key1 in data1){
if(!((((((key1 === "decision_id") || (key1 === "evaluated_at")) || (key1 === "agent_id")) || (key1 === "outcome")) || (key1 === "code")) || (key1 === "mark"))){
vErrors = push(vErrors, {instancePath:instancePath+"/outcomes/" + i0,keyword:"additionalProperties",params:{additionalProperty: key1}});
errors++;
}
}
if(data1.decision_id !== undefined){
let data2 = data1.decision_id;
if(typeof data2 === "string"){
if(data2.length > 64){
vErrors = push(vErrors, {instancePath:instancePath+"/outcomes/" + i0+"/decision_id",keyword:"maxLength",params:{limit: 64}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/outcomes/" + i0+"/decision_id",keyword:"type",params:{}});
errors++;
}
}
if(data1.evaluated_at !== undefined){
let data3 = data1.evaluated_at;
if(typeof data3 === "string"){
if(data3.length > 64){
vErrors = push(vErrors, {instancePath:instancePath+"/outcomes/" + i0+"/evaluated_at",keyword:"maxLength",params:{limit: 64}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/outcomes/" + i0+"/evaluated_at",keyword:"type",params:{}});
errors++;
}
}
if(data1.agent_id !== undefined){
let data4 = data1.agent_id;
if(typeof data4 === "string"){
if(data4.length > 512){
vErrors = push(vErrors, {instancePath:instancePath+"/outcomes/" + i0+"/agent_id",keyword:"maxLength",params:{limit: 512}});
errors++;
}
if(data4.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/outcomes/" + i0+"/agent_id",keyword:"minLength",params:{limit: 1}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/outcomes/" + i0+"/agent_id",keyword:"type",params:{}});
errors++;
}
}
if(data1.outcome !== undefined){
let data5 = data1.outcome;
if(typeof data5 !== "string"){
vErrors = push(vErrors, {instancePath:instancePath+"/outcomes/" + i0+"/outcome",keyword:"type",params:{}});
errors++;
}
if(!((((data5 === "succeeded") || (data5 === "failed")) || (data5 === "not_attempted")) || (data5 === "unknown"))){
vErrors = push(vErrors, {instancePath:instancePath+"/outcomes/" + i0+"/outcome",keyword:"enum",params:{}});
errors++;
}
}
if(data1.code !== undefined){
let data6 = data1.code;
if(typeof data6 === "string"){
if(data6.length > 64){
vErrors = push(vErrors, {instancePath:instancePath+"/outcomes/" + i0+"/code",keyword:"maxLength",params:{limit: 64}});
errors++;
}
if(data6.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/outcomes/" + i0+"/code",keyword:"minLength",params:{limit: 1}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/outcomes/" + i0+"/code",keyword:"type",params:{}});
errors++;
}
}
if(data1.mark !== undefined){
let data7 = data1.mark;
if(typeof data7 === "string"){
if(data7.length > 1024){
vErrors = push(vErrors, {instancePath:instancePath+"/outcomes/" + i0+"/mark",keyword:"maxLength",params:{limit: 1024}});
errors++;
}
if(data7.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/outcomes/" + i0+"/mark",keyword:"minLength",params:{limit: 1}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/outcomes/" + i0+"/mark",keyword:"type",params:{}});
errors++;
}
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/outcomes/" + i0,keyword:"type",params:{}});
errors++;
}
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/outcomes",keyword:"type",params:{}});
errors++;
}
}
}
else {
vErrors = push(vErrors, {instancePath,keyword:"type",params:{}});
errors++;
}
validate56.errors = vErrors;
return errors === 0;
}

const RevokeRequest: Validator = validate57;
const schema25 = {"properties":{"agent_id":true,"reason":true}};

function validate57(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.agent_id === undefined){
vErrors = push(vErrors, {instancePath,keyword:"required",params:{missingProperty: "agent_id"}});
errors++;
}
for(const key0 in data){
if(!((key0 === "agent_id") || (key0 === "reason"))){
vErrors = push(vErrors, {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.agent_id !== undefined){
let data0 = data.agent_id;
if(typeof data0 === "string"){
if(data0.length > 512){
vErrors = push(vErrors, {instancePath:instancePath+"/agent_id",keyword:"maxLength",params:{limit: 512}});
errors++;
}
if(data0.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/agent_id",keyword:"minLength",params:{limit: 1}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/agent_id",keyword:"type",params:{}});
errors++;
}
}
if(data.reason !== undefined){
let data1 = data.reason;
if(typeof data1 === "string"){
if(data1.length > 500){
vErrors = push(vErrors, {instancePath:instancePath+"/reason",keyword:"maxLength",params:{limit: 500}});
errors++;
}
if(data1.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/reason",keyword:"minLength",params:{limit: 1}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/reason",keyword:"type",params:{}});
errors++;
}
}
}
else {
vErrors = push(vErrors, {instancePath,keyword:"type",params:{}});
errors++;
}
validate57.errors = vErrors;
return errors === 0;
}

const SuspendRequest: Validator = validate58;
const schema26 = {"properties":{"agent_id":true,"reason":true,"until":true}};

function validate58(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.agent_id === undefined){
vErrors = push(vErrors, {instancePath,keyword:"required",params:{missingProperty: "agent_id"}});
errors++;
}
for(const key0 in data){
if(!(((key0 === "agent_id") || (key0 === "reason")) || (key0 === "until"))){
vErrors = push(vErrors, {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.agent_id !== undefined){
let data0 = data.agent_id;
if(typeof data0 === "string"){
if(data0.length > 512){
vErrors = push(vErrors, {instancePath:instancePath+"/agent_id",keyword:"maxLength",params:{limit: 512}});
errors++;
}
if(data0.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/agent_id",keyword:"minLength",params:{limit: 1}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/agent_id",keyword:"type",params:{}});
errors++;
}
}
if(data.reason !== undefined){
let data1 = data.reason;
if(typeof data1 === "string"){
if(data1.length > 500){
vErrors = push(vErrors, {instancePath:instancePath+"/reason",keyword:"maxLength",params:{limit: 500}});
errors++;
}
if(data1.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/reason",keyword:"minLength",params:{limit: 1}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/reason",keyword:"type",params:{}});
errors++;
}
}
if(data.until !== undefined){
let data2 = data.until;
if(typeof data2 === "string"){
if(data2.length > 64){
vErrors = push(vErrors, {instancePath:instancePath+"/until",keyword:"maxLength",params:{limit: 64}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/until",keyword:"type",params:{}});
errors++;
}
}
}
else {
vErrors = push(vErrors, {instancePath,keyword:"type",params:{}});
errors++;
}
validate58.errors = vErrors;
return errors === 0;
}

const ReinstateRequest: Validator = validate59;
const schema27 = {"properties":{"agent_id":true}};

function validate59(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.agent_id === undefined){
vErrors = push(vErrors, {instancePath,keyword:"required",params:{missingProperty: "agent_id"}});
errors++;
}
for(const key0 in data){
if(!(key0 === "agent_id")){
vErrors = push(vErrors, {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.agent_id !== undefined){
let data0 = data.agent_id;
if(typeof data0 === "string"){
if(data0.length > 512){
vErrors = push(vErrors, {instancePath:instancePath+"/agent_id",keyword:"maxLength",params:{limit: 512}});
errors++;
}
if(data0.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/agent_id",keyword:"minLength",params:{limit: 1}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/agent_id",keyword:"type",params:{}});
errors++;
}
}
}
else {
vErrors = push(vErrors, {instancePath,keyword:"type",params:{}});
errors++;
}
validate59.errors = vErrors;
return errors === 0;
}

const SettleRequest: Validator = validate60;
const schema28 = {"properties":{"amount":true}};

function validate60(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!(key0 === "amount")){
vErrors = push(vErrors, {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.amount !== undefined){
let data0 = data.amount;
if((!((typeof data0 == "number") && (isFinite(data0)))) && (typeof data0 !== "string")){
vErrors = push(vErrors, {instancePath:instancePath+"/amount",keyword:"type",params:{}});
errors++;
}
}
}
else {
vErrors = push(vErrors, {instancePath,keyword:"type",params:{}});
errors++;
}
validate60.errors = vErrors;
return errors === 0;
}

const CommitRequest: Validator = validate61;
const schema29 = {"properties":{"amount":true,"usage":true}};

function validate61(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!((key0 === "amount") || (key0 === "usage"))){
vErrors = push(vErrors, {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.amount !== undefined){
let data0 = data.amount;
if((!((typeof data0 == "number") && (isFinite(data0)))) && (typeof data0 !== "string")){
vErrors = push(vErrors, {instancePath:instancePath+"/amount",keyword:"type",params:{}});
errors++;
}
}
if(data.usage !== undefined){
if(!(validate49(data.usage, {instancePath:instancePath+"/usage",parentData:data,parentDataProperty:"usage",rootData}))){
vErrors = concat(vErrors, validate49.errors);
errors = vErrors.length;
}
}
}
else {
vErrors = push(vErrors, {instancePath,keyword:"type",params:{}});
errors++;
}
validate61.errors = vErrors;
return errors === 0;
}

const ExtendRequest: Validator = validate63;
const schema30 = {"properties":{"hold_seconds":true}};

function validate63(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.hold_seconds === undefined){
vErrors = push(vErrors, {instancePath,keyword:"required",params:{missingProperty: "hold_seconds"}});
errors++;
}
for(const key0 in data){
if(!(key0 === "hold_seconds")){
vErrors = push(vErrors, {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.hold_seconds !== undefined){
let data0 = data.hold_seconds;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
vErrors = push(vErrors, {instancePath:instancePath+"/hold_seconds",keyword:"type",params:{}});
errors++;
}
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 604800 || isNaN(data0)){
vErrors = push(vErrors, {instancePath:instancePath+"/hold_seconds",keyword:"maximum",params:{}});
errors++;
}
if(data0 < 1 || isNaN(data0)){
vErrors = push(vErrors, {instancePath:instancePath+"/hold_seconds",keyword:"minimum",params:{}});
errors++;
}
}
}
}
else {
vErrors = push(vErrors, {instancePath,keyword:"type",params:{}});
errors++;
}
validate63.errors = vErrors;
return errors === 0;
}

const ApprovalDecision: Validator = validate64;
const schema31 = {"properties":{"note":true}};

function validate64(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!(key0 === "note")){
vErrors = push(vErrors, {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.note !== undefined){
let data0 = data.note;
if(typeof data0 === "string"){
if(data0.length > 500){
vErrors = push(vErrors, {instancePath:instancePath+"/note",keyword:"maxLength",params:{limit: 500}});
errors++;
}
if(data0.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/note",keyword:"minLength",params:{limit: 1}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/note",keyword:"type",params:{}});
errors++;
}
}
}
else {
vErrors = push(vErrors, {instancePath,keyword:"type",params:{}});
errors++;
}
validate64.errors = vErrors;
return errors === 0;
}

const intentMembers: Validator = validate65;
const schema32 = {"properties":{"agent_id":true,"action":true,"target":true,"parameters":true,"proof":true,"dry_run":true,"approval_id":true,"hold_seconds":true,"subject":true,"session":true,"usage":true,"permit":true}};

function validate65(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.agent_id === undefined){
vErrors = push(vErrors, {instancePath,keyword:"required",params:{missingProperty: "agent_id"}});
errors++;
}
if(data.action === undefined){
vErrors = push(vErrors, {instancePath,keyword:"required",params:{missingProperty: "action"}});
errors++;
}
if(data.agent_id !== undefined){
let data0 = data.agent_id;
if(typeof data0 === "string"){
if(data0.length > 512){
vErrors = push(vErrors, {instancePath:instancePath+"/agent_id",keyword:"maxLength",params:{limit: 512}});
errors++;
}
if(data0.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/agent_id",keyword:"minLength",params:{limit: 1}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/agent_id",keyword:"type",params:{}});
errors++;
}
}
if(data.action !== undefined){
let data1 = data.action;
if(typeof data1 === "string"){
if(data1.length > 256){
vErrors = push(vErrors, {instancePath:instancePath+"/action",keyword:"maxLength",params:{limit: 256}});
errors++;
}
if(data1.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/action",keyword:"minLength",params:{limit: 1}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/action",keyword:"type",params:{}});
errors++;
}
}
if(data.target !== undefined){
let data2 = data.target;
if(typeof data2 === "string"){
if(data2.length > 512){
vErrors = push(vErrors, {instancePath:instancePath+"/target",keyword:"maxLength",params:{limit: 512}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/target",keyword:"type",params:{}});
errors++;
}
}
if(data.parameters !== undefined){
let data3 = data.parameters;
if(!(data3 && typeof data3 == "object" && !Array.isArray(data3))){
vErrors = push(vErrors, {instancePath:instancePath+"/parameters",keyword:"type",params:{}});
errors++;
}
}
if(data.proof !== undefined){
if(typeof data.proof !== "string"){
vErrors = push(vErrors, {instancePath:instancePath+"/proof",keyword:"type",params:{}});
errors++;
}
}
if(data.dry_run !== undefined){
if(typeof data.dry_run !== "boolean"){
vErrors = push(vErrors, {instancePath:instancePath+"/dry_run",keyword:"type",params:{}});
errors++;
}
}
if(data.approval_id !== undefined){
let data6 = data.approval_id;
if(typeof data6 === "string"){
if(data6.length > 128){
vErrors = push(vErrors, {instancePath:instancePath+"/approval_id",keyword:"maxLength",params:{limit: 128}});
errors++;
}
if(data6.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/approval_id",keyword:"minLength",params:{limit: 1}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/approval_id",keyword:"type",params:{}});
errors++;
}
}
if(data.hold_seconds !== undefined){
let data7 = data.hold_seconds;
if(!(((typeof data7 == "number") && (!(data7 % 1) && !isNaN(data7))) && (isFinite(data7)))){
vErrors = push(vErrors, {instancePath:instancePath+"/hold_seconds",keyword:"type",params:{}});
errors++;
}
if((typeof data7 == "number") && (isFinite(data7))){
if(data7 > 604800 || isNaN(data7)){
vErrors = push(vErrors, {instancePath:instancePath+"/hold_seconds",keyword:"maximum",params:{}});
errors++;
}
if(data7 < 1 || isNaN(data7)){
vErrors = push(vErrors, {instancePath:instancePath+"/hold_seconds",keyword:"minimum",params:{}});
errors++;
}
}
}
if(data.subject !== undefined){
let data8 = data.subject;
if(typeof data8 === "string"){
if(data8.length > 256){
vErrors = push(vErrors, {instancePath:instancePath+"/subject",keyword:"maxLength",params:{limit: 256}});
errors++;
}
if(data8.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/subject",keyword:"minLength",params:{limit: 1}});
errors++;
}
if(!pattern0.test(data8)){
vErrors = push(vErrors, {instancePath:instancePath+"/subject",keyword:"pattern",params:{}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/subject",keyword:"type",params:{}});
errors++;
}
}
if(data.session !== undefined){
let data9 = data.session;
if(typeof data9 === "string"){
if(data9.length > 128){
vErrors = push(vErrors, {instancePath:instancePath+"/session",keyword:"maxLength",params:{limit: 128}});
errors++;
}
if(data9.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/session",keyword:"minLength",params:{limit: 1}});
errors++;
}
if(!pattern1.test(data9)){
vErrors = push(vErrors, {instancePath:instancePath+"/session",keyword:"pattern",params:{}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/session",keyword:"type",params:{}});
errors++;
}
}
if(data.usage !== undefined){
let data10 = data.usage;
if(data10 && typeof data10 == "object" && !Array.isArray(data10)){
for(const key0 in data10){
if(!((key0 === "tokens") || (key0 === "credits"))){
vErrors = push(vErrors, {instancePath:instancePath+"/usage",keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data10.tokens !== undefined){
let data11 = data10.tokens;
if((!((typeof data11 == "number") && (isFinite(data11)))) && (typeof data11 !== "string")){
vErrors = push(vErrors, {instancePath:instancePath+"/usage/tokens",keyword:"type",params:{}});
errors++;
}
}
if(data10.credits !== undefined){
let data12 = data10.credits;
if((!((typeof data12 == "number") && (isFinite(data12)))) && (typeof data12 !== "string")){
vErrors = push(vErrors, {instancePath:instancePath+"/usage/credits",keyword:"type",params:{}});
errors++;
}
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/usage",keyword:"type",params:{}});
errors++;
}
}
if(data.permit !== undefined){
let data13 = data.permit;
if(data13 && typeof data13 == "object" && !Array.isArray(data13)){
if(data13.audience === undefined){
vErrors = push(vErrors, {instancePath:instancePath+"/permit",keyword:"required",params:{missingProperty: "audience"}});
errors++;
}
for(const key1 in data13){
if(!(((key1 === "audience") || (key1 === "seconds")) || (key1 === "bind"))){
vErrors = push(vErrors, {instancePath:instancePath+"/permit",keyword:"additionalProperties",params:{additionalProperty: key1}});
errors++;
}
}
if(data13.audience !== undefined){
let data14 = data13.audience;
if(typeof data14 === "string"){
if(!pattern2.test(data14)){
vErrors = push(vErrors, {instancePath:instancePath+"/permit/audience",keyword:"pattern",params:{}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/permit/audience",keyword:"type",params:{}});
errors++;
}
}
if(data13.seconds !== undefined){
let data15 = data13.seconds;
if(!(((typeof data15 == "number") && (!(data15 % 1) && !isNaN(data15))) && (isFinite(data15)))){
vErrors = push(vErrors, {instancePath:instancePath+"/permit/seconds",keyword:"type",params:{}});
errors++;
}
if((typeof data15 == "number") && (isFinite(data15))){
if(data15 > 60 || isNaN(data15)){
vErrors = push(vErrors, {instancePath:instancePath+"/permit/seconds",keyword:"maximum",params:{}});
errors++;
}
if(data15 < 1 || isNaN(data15)){
vErrors = push(vErrors, {instancePath:instancePath+"/permit/seconds",keyword:"minimum",params:{}});
errors++;
}
}
}
if(data13.bind !== undefined){
if(typeof data13.bind !== "boolean"){
vErrors = push(vErrors, {instancePath:instancePath+"/permit/bind",keyword:"type",params:{}});
errors++;
}
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/permit",keyword:"type",params:{}});
errors++;
}
}
}
else {
vErrors = push(vErrors, {instancePath,keyword:"type",params:{}});
errors++;
}
validate65.errors = vErrors;
return errors === 0;
}

export const registerRequestSchema: CompiledRequest = { name: 'RegisterRequest', validate: RegisterRequest, fields: ["email","password"] };
export const keyRequestSchema: CompiledRequest = { name: 'KeyRequest', validate: KeyRequest, fields: ["name","environment","scopes","agent_ids","domains","expires_at"] };
export const keyPatchSchema: CompiledRequest = { name: 'KeyPatch', validate: KeyPatch, fields: ["name","scopes","agent_ids","domains"] };
export const keyRotationSchema: CompiledRequest = { name: 'KeyRotation', validate: KeyRotation, fields: ["grace_seconds","expires_at"] };
export const passportRequestSchema: CompiledRequest = { name: 'PassportRequest', validate: PassportRequest, fields: ["domain","agent_name","allowed_actions","monetary_limit_per_txn","parent_agent_id","denied_actions","currency","allowed_targets","monetary_actions","budgets","approval","conditions","pace","order","trusted_issuers","not_before","expires_at","proof","description","public_keys","metadata","owner","managed_by"] };
export const passportPatchSchema: CompiledRequest = { name: 'PassportPatch', validate: PassportPatch, fields: ["allowed_actions","monetary_limit_per_txn","denied_actions","currency","allowed_targets","monetary_actions","budgets","approval","conditions","pace","order","trusted_issuers","not_before","expires_at","proof","description","public_keys","metadata","owner","managed_by"] };
export const tryRequestSchema: CompiledRequest = { name: 'TryRequest', validate: TryRequest, fields: ["patch","intent"] };
export const replayRequestSchema: CompiledRequest = { name: 'ReplayRequest', validate: ReplayRequest, fields: ["patch","from","to","environment","passport","examples"] };
export const intentSchema: CompiledRequest = { name: 'Intent', validate: Intent, fields: ["agent_id","action","target","parameters","proof","dry_run","approval_id","hold_seconds","subject","session","usage","permit"] };
export const intentBatchSchema: CompiledRequest = { name: 'IntentBatch', validate: IntentBatch, fields: ["intents"] };
export const outcomesRequestSchema: CompiledRequest = { name: 'OutcomesRequest', validate: OutcomesRequest, fields: ["outcomes"] };
export const revokeRequestSchema: CompiledRequest = { name: 'RevokeRequest', validate: RevokeRequest, fields: ["agent_id","reason"] };
export const suspendRequestSchema: CompiledRequest = { name: 'SuspendRequest', validate: SuspendRequest, fields: ["agent_id","reason","until"] };
export const reinstateRequestSchema: CompiledRequest = { name: 'ReinstateRequest', validate: ReinstateRequest, fields: ["agent_id"] };
export const settleRequestSchema: CompiledRequest = { name: 'SettleRequest', validate: SettleRequest, fields: ["amount"] };
export const commitRequestSchema: CompiledRequest = { name: 'CommitRequest', validate: CommitRequest, fields: ["amount","usage"] };
export const extendRequestSchema: CompiledRequest = { name: 'ExtendRequest', validate: ExtendRequest, fields: ["hold_seconds"] };
export const approvalDecisionSchema: CompiledRequest = { name: 'ApprovalDecision', validate: ApprovalDecision, fields: ["note"] };

/** Validates the fields of an intent that has no others: an error has to be found by `intentSchema`. */
export { intentMembers };

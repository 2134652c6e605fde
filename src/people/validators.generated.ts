// @ts-nocheck
// Generated from src/schema/requests.ts by `npm run build`. Do not edit it.
import { type CompiledRequest, concat, push, type Validator } from '../schema/validator.ts';

const MemberRequest: Validator = validate21;
const schema6 = {"properties":{"role":true,"email":true,"name":true}};

function validate21(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.role === undefined){
vErrors = push(vErrors, {instancePath,keyword:"required",params:{missingProperty: "role"}});
errors++;
}
for(const key0 in data){
if(!(((key0 === "role") || (key0 === "email")) || (key0 === "name"))){
vErrors = push(vErrors, {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.role !== undefined){
let data0 = data.role;
if(typeof data0 !== "string"){
vErrors = push(vErrors, {instancePath:instancePath+"/role",keyword:"type",params:{}});
errors++;
}
if(!(((((data0 === "viewer") || (data0 === "approver")) || (data0 === "editor")) || (data0 === "admin")) || (data0 === "owner"))){
vErrors = push(vErrors, {instancePath:instancePath+"/role",keyword:"enum",params:{}});
errors++;
}
}
if(data.email !== undefined){
let data1 = data.email;
if(typeof data1 === "string"){
if(data1.length > 254){
vErrors = push(vErrors, {instancePath:instancePath+"/email",keyword:"maxLength",params:{limit: 254}});
errors++;
}
if(data1.length < 3){
vErrors = push(vErrors, {instancePath:instancePath+"/email",keyword:"minLength",params:{limit: 3}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/email",keyword:"type",params:{}});
errors++;
}
}
if(data.name !== undefined){
let data2 = data.name;
if(typeof data2 === "string"){
if(data2.length > 100){
vErrors = push(vErrors, {instancePath:instancePath+"/name",keyword:"maxLength",params:{limit: 100}});
errors++;
}
if(data2.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/name",keyword:"minLength",params:{limit: 1}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/name",keyword:"type",params:{}});
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

const MemberPatch: Validator = validate22;
const schema7 = {"properties":{"role":true,"name":true}};

function validate22(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!((key0 === "role") || (key0 === "name"))){
vErrors = push(vErrors, {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.role !== undefined){
let data0 = data.role;
if(typeof data0 !== "string"){
vErrors = push(vErrors, {instancePath:instancePath+"/role",keyword:"type",params:{}});
errors++;
}
if(!(((((data0 === "viewer") || (data0 === "approver")) || (data0 === "editor")) || (data0 === "admin")) || (data0 === "owner"))){
vErrors = push(vErrors, {instancePath:instancePath+"/role",keyword:"enum",params:{}});
errors++;
}
}
if(data.name !== undefined){
let data1 = data.name;
if(typeof data1 === "string"){
if(data1.length > 100){
vErrors = push(vErrors, {instancePath:instancePath+"/name",keyword:"maxLength",params:{limit: 100}});
errors++;
}
if(data1.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/name",keyword:"minLength",params:{limit: 1}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/name",keyword:"type",params:{}});
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

const LinkRequest: Validator = validate23;
const schema8 = {"properties":{"token":true}};

function validate23(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.token === undefined){
vErrors = push(vErrors, {instancePath,keyword:"required",params:{missingProperty: "token"}});
errors++;
}
for(const key0 in data){
if(!(key0 === "token")){
vErrors = push(vErrors, {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.token !== undefined){
let data0 = data.token;
if(typeof data0 === "string"){
if(data0.length > 128){
vErrors = push(vErrors, {instancePath:instancePath+"/token",keyword:"maxLength",params:{limit: 128}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/token",keyword:"type",params:{}});
errors++;
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

const AcceptRequest: Validator = validate24;
const schema9 = {"properties":{"token":true,"email":true,"password":true}};

function validate24(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.token === undefined){
vErrors = push(vErrors, {instancePath,keyword:"required",params:{missingProperty: "token"}});
errors++;
}
if(data.password === undefined){
vErrors = push(vErrors, {instancePath,keyword:"required",params:{missingProperty: "password"}});
errors++;
}
for(const key0 in data){
if(!(((key0 === "token") || (key0 === "email")) || (key0 === "password"))){
vErrors = push(vErrors, {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.token !== undefined){
let data0 = data.token;
if(typeof data0 === "string"){
if(data0.length > 128){
vErrors = push(vErrors, {instancePath:instancePath+"/token",keyword:"maxLength",params:{limit: 128}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/token",keyword:"type",params:{}});
errors++;
}
}
if(data.email !== undefined){
let data1 = data.email;
if(typeof data1 === "string"){
if(data1.length > 254){
vErrors = push(vErrors, {instancePath:instancePath+"/email",keyword:"maxLength",params:{limit: 254}});
errors++;
}
if(data1.length < 3){
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
validate24.errors = vErrors;
return errors === 0;
}

const OidcFinishRequest: Validator = validate25;
const schema10 = {"properties":{"transaction":true,"response":true,"link":true}};

function validate25(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.transaction === undefined){
vErrors = push(vErrors, {instancePath,keyword:"required",params:{missingProperty: "transaction"}});
errors++;
}
if(data.response === undefined){
vErrors = push(vErrors, {instancePath,keyword:"required",params:{missingProperty: "response"}});
errors++;
}
for(const key0 in data){
if(!(((key0 === "transaction") || (key0 === "response")) || (key0 === "link"))){
vErrors = push(vErrors, {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.transaction !== undefined){
if(typeof data.transaction !== "string"){
vErrors = push(vErrors, {instancePath:instancePath+"/transaction",keyword:"type",params:{}});
errors++;
}
}
if(data.response !== undefined){
if(typeof data.response !== "string"){
vErrors = push(vErrors, {instancePath:instancePath+"/response",keyword:"type",params:{}});
errors++;
}
}
if(data.link !== undefined){
let data2 = data.link;
if(typeof data2 === "string"){
if(data2.length > 128){
vErrors = push(vErrors, {instancePath:instancePath+"/link",keyword:"maxLength",params:{limit: 128}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/link",keyword:"type",params:{}});
errors++;
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

const LoginRequest: Validator = validate26;
const schema11 = {"properties":{"email":true,"password":true}};

function validate26(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
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
if(data0.length > 1024){
vErrors = push(vErrors, {instancePath:instancePath+"/email",keyword:"maxLength",params:{limit: 1024}});
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
validate26.errors = vErrors;
return errors === 0;
}

const LogoutRequest: Validator = validate27;
const schema12 = {"properties":{"everywhere":true}};

function validate27(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!(key0 === "everywhere")){
vErrors = push(vErrors, {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.everywhere !== undefined){
if(typeof data.everywhere !== "boolean"){
vErrors = push(vErrors, {instancePath:instancePath+"/everywhere",keyword:"type",params:{}});
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

const PasswordChange: Validator = validate28;
const schema13 = {"properties":{"current_password":true,"new_password":true}};

function validate28(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.current_password === undefined){
vErrors = push(vErrors, {instancePath,keyword:"required",params:{missingProperty: "current_password"}});
errors++;
}
if(data.new_password === undefined){
vErrors = push(vErrors, {instancePath,keyword:"required",params:{missingProperty: "new_password"}});
errors++;
}
for(const key0 in data){
if(!((key0 === "current_password") || (key0 === "new_password"))){
vErrors = push(vErrors, {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.current_password !== undefined){
if(typeof data.current_password !== "string"){
vErrors = push(vErrors, {instancePath:instancePath+"/current_password",keyword:"type",params:{}});
errors++;
}
}
if(data.new_password !== undefined){
if(typeof data.new_password !== "string"){
vErrors = push(vErrors, {instancePath:instancePath+"/new_password",keyword:"type",params:{}});
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

const AccountDeletion: Validator = validate29;
const schema14 = {"properties":{"current_password":true}};

function validate29(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.current_password === undefined){
vErrors = push(vErrors, {instancePath,keyword:"required",params:{missingProperty: "current_password"}});
errors++;
}
for(const key0 in data){
if(!(key0 === "current_password")){
vErrors = push(vErrors, {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.current_password !== undefined){
if(typeof data.current_password !== "string"){
vErrors = push(vErrors, {instancePath:instancePath+"/current_password",keyword:"type",params:{}});
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

export const memberRequestSchema: CompiledRequest = { name: 'MemberRequest', validate: MemberRequest, fields: ["role","email","name"] };
export const memberPatchSchema: CompiledRequest = { name: 'MemberPatch', validate: MemberPatch, fields: ["role","name"] };
export const linkRequestSchema: CompiledRequest = { name: 'LinkRequest', validate: LinkRequest, fields: ["token"] };
export const acceptRequestSchema: CompiledRequest = { name: 'AcceptRequest', validate: AcceptRequest, fields: ["token","email","password"] };
export const oidcFinishRequestSchema: CompiledRequest = { name: 'OidcFinishRequest', validate: OidcFinishRequest, fields: ["transaction","response","link"] };
export const loginRequestSchema: CompiledRequest = { name: 'LoginRequest', validate: LoginRequest, fields: ["email","password"] };
export const logoutRequestSchema: CompiledRequest = { name: 'LogoutRequest', validate: LogoutRequest, fields: ["everywhere"] };
export const passwordChangeSchema: CompiledRequest = { name: 'PasswordChange', validate: PasswordChange, fields: ["current_password","new_password"] };
export const accountDeletionSchema: CompiledRequest = { name: 'AccountDeletion', validate: AccountDeletion, fields: ["current_password"] };

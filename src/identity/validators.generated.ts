// @ts-nocheck
// Generated from src/schema/requests.ts by `npm run build`. Do not edit it.
import { type CompiledRequest, concat, push, type Validator } from '../schema/validator.ts';

const SignRequest: Validator = validate21;
const schema6 = {"properties":{"ttl_seconds":true,"kid":true}};

function validate21(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
if(!((key0 === "ttl_seconds") || (key0 === "kid"))){
vErrors = push(vErrors, {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.ttl_seconds !== undefined){
let data0 = data.ttl_seconds;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
vErrors = push(vErrors, {instancePath:instancePath+"/ttl_seconds",keyword:"type",params:{}});
errors++;
}
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 86400 || isNaN(data0)){
vErrors = push(vErrors, {instancePath:instancePath+"/ttl_seconds",keyword:"maximum",params:{}});
errors++;
}
if(data0 < 60 || isNaN(data0)){
vErrors = push(vErrors, {instancePath:instancePath+"/ttl_seconds",keyword:"minimum",params:{}});
errors++;
}
}
}
if(data.kid !== undefined){
let data1 = data.kid;
if(typeof data1 === "string"){
if(data1.length > 43){
vErrors = push(vErrors, {instancePath:instancePath+"/kid",keyword:"maxLength",params:{limit: 43}});
errors++;
}
if(data1.length < 43){
vErrors = push(vErrors, {instancePath:instancePath+"/kid",keyword:"minLength",params:{limit: 43}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/kid",keyword:"type",params:{}});
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

export const signRequestSchema: CompiledRequest = { name: 'SignRequest', validate: SignRequest, fields: ["ttl_seconds","kid"] };

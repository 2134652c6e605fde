// @ts-nocheck
// Generated from src/schema/requests.ts by `npm run build`. Do not edit it.
import { type CompiledRequest, concat, push, type Validator } from '../schema/validator.ts';

const SubjectRequest: Validator = validate21;
const schema6 = {"properties":{"subject":true}};
const pattern0 = new RegExp("^(?:[^\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff]|[\\ud800-\\udbff][\\udc00-\\udfff])+$", "u");

function validate21(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.subject === undefined){
vErrors = push(vErrors, {instancePath,keyword:"required",params:{missingProperty: "subject"}});
errors++;
}
for(const key0 in data){
if(!(key0 === "subject")){
vErrors = push(vErrors, {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.subject !== undefined){
let data0 = data.subject;
if(typeof data0 === "string"){
if(data0.length > 256){
vErrors = push(vErrors, {instancePath:instancePath+"/subject",keyword:"maxLength",params:{limit: 256}});
errors++;
}
if(data0.length < 1){
vErrors = push(vErrors, {instancePath:instancePath+"/subject",keyword:"minLength",params:{limit: 1}});
errors++;
}
if(!pattern0.test(data0)){
vErrors = push(vErrors, {instancePath:instancePath+"/subject",keyword:"pattern",params:{}});
errors++;
}
}
else {
vErrors = push(vErrors, {instancePath:instancePath+"/subject",keyword:"type",params:{}});
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

export const subjectRequestSchema: CompiledRequest = { name: 'SubjectRequest', validate: SubjectRequest, fields: ["subject"] };

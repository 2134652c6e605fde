// @ts-nocheck
// Generated from src/schema/requests.ts by `npm run build`. Do not edit it.
import { type CompiledRequest, concat, push, type Validator } from '../schema/validator.ts';

const DomainRequest: Validator = validate21;
const schema6 = {"properties":{"domain":true}};

function validate21(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.domain === undefined){
vErrors = push(vErrors, {instancePath,keyword:"required",params:{missingProperty: "domain"}});
errors++;
}
for(const key0 in data){
if(!(key0 === "domain")){
vErrors = push(vErrors, {instancePath,keyword:"additionalProperties",params:{additionalProperty: key0}});
errors++;
}
}
if(data.domain !== undefined){
let data0 = data.domain;
if(typeof data0 === "string"){
if(data0.length > 253){
vErrors = push(vErrors, {instancePath:instancePath+"/domain",keyword:"maxLength",params:{limit: 253}});
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
}
else {
vErrors = push(vErrors, {instancePath,keyword:"type",params:{}});
errors++;
}
validate21.errors = vErrors;
return errors === 0;
}

export const domainRequestSchema: CompiledRequest = { name: 'DomainRequest', validate: DomainRequest, fields: ["domain"] };

import { link } from '../../../libs/cel/src/codegen/link.ts';
import { readJson } from '#kube';
import { listOf } from './cel-cases.ts';
const head=`"use strict"; const k17=K[0],k23=K[1],k16=K[2],k19=K[3];
return function rule(self, oldSelf, limit, flag, cell) {
 let cost=2; const found1=self.list; const count5=found1.length; let error8, test7=true;
 Loop6: for (let index4 = 0; index4 < count5; ) {
    const from = index4;
    const count9 = Math.min(index4 + 100, count5);
    for (; index4 < count9; index4++) {
      const item10 = found1[index4];
`;
const tail=(c:string)=>`
    }
    ${c}
    if (cost > limit || Atomics.load(flag, 0) !== 0) return undefined;
  }
  if (error8 !== undefined) { cost += 1; cell.cost = cost; return error8; }
  cost += 1;
  cell.cost = cost;
  return test7;
};`;
const field=(f:string,k:string,e:string,o:string)=>`const ${f} = item10[${k}]; if (typeof ${f} !== "number" || !Number.isInteger(${f})) { if (${f} === undefined || ${f} === null) { if ((Array.isArray(item10) || item10 instanceof k16)) return undefined; ${e} = k19; break ${o}; } return undefined; }`;
const V: any={
 bare: head+`const a=item10.a,b=item10.b; if(!(a<b)) return undefined;`+tail('cost += 8*(count9-from);'),
 keyed: head+`const a=item10[k17],b=item10[k23]; if(!(a<b)) return undefined;`+tail('cost += 8*(count9-from);'),
 keyedobj: head+`if (typeof item10 !== "object" || item10 === null) return undefined; const a=item10[k17],b=item10[k23]; if(!(a<b)) return undefined;`+tail('cost += 8*(count9-from);'),
 keyedint: head+`if (typeof item10 !== "object" || item10 === null) return undefined; const a=item10[k17]; if(!Number.isInteger(a)) return undefined; const b=item10[k23];if(!Number.isInteger(b)) return undefined; if(!(a<b)) return undefined;`+tail('cost += 8*(count9-from);'),
 keyedabs: head+`if (typeof item10 !== "object" || item10 === null) return undefined; const a=item10[k17]; if(a===undefined||a===null) return 1; if(!Number.isInteger(a)) return undefined; const b=item10[k23];if(b===undefined||b===null) return 1;if(!Number.isInteger(b)) return undefined; if(!(a<b)) return undefined;`+tail('cost += 8*(count9-from);'),
 vnull: head+`if (item10 === null) return undefined; const a=item10[k17]; if(!Number.isInteger(a)) return undefined; const b=item10[k23];if(!Number.isInteger(b)) return undefined; if(!(a<b)) return undefined;`+tail('cost += 8*(count9-from);'),
 vnullish: head+`if (item10 == null) return undefined; const a=item10[k17]; if(!Number.isInteger(a)) return undefined; const b=item10[k23];if(!Number.isInteger(b)) return undefined; if(!(a<b)) return undefined;`+tail('cost += 8*(count9-from);'),
 vopt: head+`const a=item10?.[k17]; if(!Number.isInteger(a)) return undefined; const b=item10?.[k23];if(!Number.isInteger(b)) return undefined; if(!(a<b)) return undefined;`+tail('cost += 8*(count9-from);'),
 vtrue: head+`if (!item10) return undefined; const a=item10[k17]; if(!Number.isInteger(a)) return undefined; const b=item10[k23];if(!Number.isInteger(b)) return undefined; if(!(a<b)) return undefined;`+tail('cost += 8*(count9-from);'),
 vafter: head+`const a=item10?.[k17]; if(!Number.isInteger(a)) return undefined; const b=item10[k23];if(!Number.isInteger(b)) return undefined; if(!(a<b)) return undefined;`+tail('cost += 8*(count9-from);'),
 dotint: head+`if (typeof item10 !== "object" || item10 === null) return undefined; const a=item10.a; if(!Number.isInteger(a)) return undefined; const b=item10.b;if(!Number.isInteger(b)) return undefined; if(!(a<b)) return undefined;`+tail('cost += 8*(count9-from);'),
 full: head+`if (typeof item10 !== "object" || item10 === null) return undefined;
 let error12, out13; F1: { let e1, o1; F2: { ${field('a','k17','e1','F2')} o1=a; } let e2,o2; F3: { ${field('b','k23','e2','F3')} o2=b; } if (e1!==undefined||e2!==undefined) { cost+=1; error12 = e1 ?? e2; break F1; } out13 = o1<o2; }
 if (error12 !== undefined) error8 ??= error12; else
 if (!out13) {return undefined;}`+tail('cost += 8*(count9-from);'),
 fullcost: head+`if (typeof item10 !== "object" || item10 === null) return undefined;
 let error12, out13; F1: { let e1, o1; F2: { ${field('a','k17','e1','F2')} o1=a; } let e2,o2; F3: { ${field('b','k23','e2','F3')} o2=b; } if (e1!==undefined||e2!==undefined) { cost+=1; error12 = e1 ?? e2; break F1; } out13 = o1<o2; cost+=1 } cost+=7;
 if (error12 !== undefined) error8 ??= error12; else
 if (!out13) {return undefined;}`+tail(''),
 intsbare: head+`if(!Number.isInteger(item10)) return undefined; if(!(item10>=0)) return undefined;`+tail('cost += 8*(count9-from);'),
 intscost: head+`if(!Number.isInteger(item10)) return undefined; cost+=8;if(!(item10>=0)) return undefined;`+tail(''),
};
for (const v of process.argv.slice(2)) { 
const kind=v.startsWith('ints')?'ints':'objs';
const rule=link(V[v],['a','b',class X{},new Error('x')]);
let out=v;
for(const n of [1000,64000]){
const r=readJson(JSON.stringify({list:listOf(kind as any,n)})); if(!r.ok) throw 2;
const cell={cost:0}; const flag=new Int32Array(new SharedArrayBuffer(4));
let best=1e9; const until=performance.now()+500;
while(performance.now()<until){const t=performance.now(); rule(r.value as any,undefined,Number.MAX_SAFE_INTEGER,flag,cell); best=Math.min(best,performance.now()-t);}
out+=' '+(best*1e6/n).toFixed(2);}
console.log(out);}

import { generateFor } from '../../../libs/cel/src/testing/generate-fixture.ts';
import { link } from '../../../libs/cel/src/codegen/link.ts';
import { readJson } from '#kube';
import { listOf } from './cel-cases.ts';
const which=process.argv[2]!;
const item: any = {ints:{type:'integer'},objs:{type:'object',properties:{a:{type:'integer'},b:{type:'integer'},name:{type:'string'}}},strs:{type:'string'}};
const cases: any={ints:'self.list.all(e, e >= 0)',exists:'!self.list.exists(e, e < 0)',objs:'self.list.all(o, o.a < o.b)',nested:'self.list.all(a, self.list.exists_one(b, a == b))',sorted:'self.list.isSorted()'};
const kind= which==='objs'?'objs':'ints';
const gen=generateFor(cases[which],{type:'object',properties:{list:{type:'array',items:item[kind]}}});
if(!gen.ok) throw 1;
const variant=process.argv[3]!; let src=gen.source;
if(variant==='show'){console.log(src);process.exit();}
if(variant.includes('i')) src=src.replace(/!Number\.isInteger\((\w+)\)/g,(_,x)=>`(${x} | 0) !== ${x} && !Number.isInteger(${x})`);
if(variant.includes('q')) src=src.replace(/if \((found\d+) === undefined \|\| \1 === null\) (\{.*\})\n\s*if \(!Number.isInteger\(\1\)\) return undefined;/g,(_,x,b)=>`if ((${x} | 0) !== ${x}) { if (${x} === undefined || ${x} === null) ${b} if (!Number.isInteger(${x})) return undefined; }`);
if(variant.includes('p')) src=src.replace(/\[k6\]/,'.list').replace(/(item\d+)\[k(\d+)\]/,'$1.a').replace(/(item\d+)\[k(\d+)\]/,'$1.b');
const rule=link(src,gen.constants);
const n=which==='nested'?1000:Number(process.argv[4]??1000);
const r=readJson(JSON.stringify({list:listOf(kind as any,n)})); if(!r.ok) throw 2;
const cell={cost:0}; const flag=new Int32Array(new SharedArrayBuffer(4));
let best=1e9; const until=performance.now()+700; let k=0;
while(performance.now()<until){const t=performance.now(); rule(r.value as any,undefined,Number.MAX_SAFE_INTEGER,flag,cell); best=Math.min(best,performance.now()-t);k++}
console.log(which,variant,n,(best*1e6/(which==='nested'?n*n:n)).toFixed(2),cell.cost,k);

import init,{WasmSampler} from './dist/node.js';
import {readFileSync} from 'fs';
await init();
const k=await WebAssembly.instantiate(readFileSync('/tmp/kern/target/wasm32-unknown-unknown/release/kern.wasm')); const K=k.instance.exports;
let s=1; const u=()=>{s=(s*1103515245+12345)%2147483648; return (s+.5)/2147483648}; const g=()=>Math.sqrt(-2*Math.log(u()))*Math.cos(6.283185*u());
const rows={};
const real=n=>{const b=readFileSync('/work/main/tests/golden/rows/'+n+'.f32');return new Float32Array(b.buffer,b.byteOffset,b.length/4).slice()};
for(const n of ['once','capital','list','seven','code']) rows['real '+n]=real(n);
const N=128256;
rows.flat=Float32Array.from({length:N},g);
rows.medium=Float32Array.from({length:N},()=>g()*2.9);
{const r=Float32Array.from({length:N},()=>g()*2.5); for(let i=1;i<=48;i++) r[Math.floor(u()*N)]=18-Math.log(i)*1.1*.8; rows.peaked=r;}
rows.flat1000=Float32Array.from({length:1000},g); rows.flat32k=Float32Array.from({length:32000},g);
const chains={greedy:{temperature:0},none:{},topp:{topP:.95},topkp:{topK:40,topP:.95},toppmin:{topP:.95,minP:.05}};
for(const T of [0.8,0.7]) for(const [rn,row] of Object.entries(rows)){
  const n=row.length; new Float32Array(K.memory.buffer,K.row(),n).set(row);
  const out=[];
  const fs={}; const reps=Math.max(2,Math.ceil(60000/n));
  fs.limit=()=>K.limit(n,1/T);
  for(const [cn,o] of Object.entries(chains)){const smp=new WasmSampler({temperature:T,seed:1,...o}); smp.logitsBuffer(n).set(row); fs[cn]=()=>smp.sample(smp.logitsBuffer(n)); out.kept??={}; out.kept[cn]=smp.distribution(smp.logitsBuffer(n)).keptCount}
  const t={}; for(const k in fs)t[k]=[];
  for(let it=0;it<40;it++) for(const k in fs){const a=performance.now(); for(let j=0;j<reps;j++)fs[k](); t[k].push((performance.now()-a)/reps*1000)}
  const med=a=>a.slice(10).sort((p,q)=>p-q)[8]; const L=med(t.limit);
  console.log('T',T,rn,n,'limit',L.toFixed(1),Object.keys(chains).map(k=>k+' '+(med(t[k])/L).toFixed(2)+' ('+out.kept[k]+')').join('  '));
}

// Made of app/report/web/format.ts by `make web`.
"use strict";var format=(()=>{var c=Object.defineProperty;var d=Object.getOwnPropertyDescriptor;var h=Object.getOwnPropertyNames;var g=Object.prototype.hasOwnProperty;var M=(e,t)=>{for(var n in t)c(e,n,{get:t[n],enumerable:!0})},S=(e,t,n,u)=>{if(t&&typeof t=="object"||typeof t=="functio\
n")for(let r of h(t))!g.call(e,r)&&r!==n&&c(e,r,{get:()=>t[r],enumerable:!(u=d(t,r))||u.enumerable});return e};var x=e=>S(c({},"__esModule",{value:!0}),e);var z={};M(z,{count:()=>F,offset:()=>w,percent:()=>$,quantity:()=>a});var m=[[1099511627776," TiB",1],[1073741824," GiB",1],[1048576," MiB",1],[1024," KiB",1],[1," B",0]],B=[[86400," days",2],
[3600," h",2],[60," min",10],[1," s",1],[.001," ms",1],[1e-6," µs",1],[1e-9," ns",0]],y=[[1e12," T",1],[1e9," G",1],[1e6,
" M",1],[1e3," k",0]];function b(e){return Number(e.toPrecision(3))}function p(e){return e.replace(/\.?0+(e|$)/,"$1")}function s(e){
if(e<0)return"−"+s(-e);if(e===0)return"0";if(e<5e-7)return"<0.000001";if(e>=1e15)return p(e.toExponential(2));if(e>=99.95)
return e.toFixed(0).replace(/\B(?=(\d{3})+$)/g,",");let t=2-Math.floor(Math.log10(b(e))+1e-9),n=e.toFixed(Math.min(t,6));
return n.includes(".")?p(n):n}function N(e){return Math.abs(e)<1?Number(e.toPrecision(2)):Math.round(10*e)/10}function i(e,t){
if(e<0)return"−"+i(-e,t);for(let[n,u,r]of t)if(e>0?b(e/n)>=r:n===1)return s(e/n)+u;return s(e)}function o(e){return e<
0?"−"+o(-e):Math.round(e)<1e4?s(e):i(e,y)}function P(e,t){switch(t){case"bytes":return i(e,m);case"bytes/s":return i(e,
m)+"/s";case"seconds":return i(e,B);case"share":return s(N(100*e))+" %";case"cores":return s(e)==="1"?"1 core":s(e)+" co\
res";case"1/s":return o(e)+"/s";case"count":case"":return o(e)}return o(e)+" "+t}function a(e,t){return e==null||!Number.
isFinite(e)?"–":P(e,t).replaceAll(" "," ")}function F(e){return a(e,"count")}function $(e){return a(e,"share")}function w(e){
let t=e<0?"−":"+",n=Math.round(Math.abs(e));if(n===0)return"0:00";let u=l=>String(l).padStart(2,"0"),r=Math.floor(n/3600),
f=Math.floor(n/60)%60;return t+(r?r+":"+u(f):f)+":"+u(n%60)}return x(z);})();

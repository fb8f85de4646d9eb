// Made of app/report/web/search.ts by `make web`.
"use strict";(()=>{function p(){for(let e of document.querySelectorAll("[data-copy]"))e.addEventListener("click",async()=>{let t=document.getElementById(
e.dataset.copy);try{await navigator.clipboard.writeText(t.textContent),e.textContent="Copied"}catch{getSelection().selectAllChildren(
t),e.textContent="Selected"}})}var h=[[1099511627776," TiB",1],[1073741824," GiB",1],[1048576," MiB",1],[1024," KiB",1],[1," B",0]],L=[[86400," days",2],
[3600," h",2],[60," min",10],[1," s",1],[.001," ms",1],[1e-6," µs",1],[1e-9," ns",0]],B=[[1e12," T",1],[1e9," G",1],[1e6,
" M",1],[1e3," k",0]];function g(e){return Number(e.toPrecision(3))}function y(e){return e.replace(/\.?0+(e|$)/,"$1")}function a(e){
if(e<0)return"−"+a(-e);if(e===0)return"0";if(e<5e-7)return"<0.000001";if(e>=1e15)return y(e.toExponential(2));if(e>=99.95)
return e.toFixed(0).replace(/\B(?=(\d{3})+$)/g,",");let t=2-Math.floor(Math.log10(g(e))+1e-9),n=e.toFixed(Math.min(t,6));
return n.includes(".")?y(n):n}function C(e){return Math.abs(e)<1?Number(e.toPrecision(2)):Math.round(10*e)/10}function l(e,t){
if(e<0)return"−"+l(-e,t);for(let[n,o,s]of t)if(e>0?g(e/n)>=s:n===1)return a(e/n)+o;return a(e)}function m(e){return e<
0?"−"+m(-e):Math.round(e)<1e4?a(e):l(e,B)}function k(e,t){switch(t){case"bytes":return l(e,h);case"bytes/s":return l(e,
h)+"/s";case"seconds":return l(e,L);case"share":return a(C(100*e))+" %";case"cores":return a(e)==="1"?"1 core":a(e)+" co\
res";case"1/s":return m(e)+"/s";case"count":case"":return m(e)}return m(e)+" "+t}function q(e,t){return e==null||!Number.
isFinite(e)?"–":k(e,t).replaceAll(" "," ")}function f(e){return q(e,"count")}var b=(()=>{let e=document.documentElement,t=matchMedia("(prefers-color-scheme: dark)"),n=[],o=document.createElement("s\
pan");o.hidden=!0,document.body.append(o);let s="",c=!1,d=()=>!c&&(s?s==="dark":t.matches);function u(){e.style.colorScheme=
c?"light":s;let i=document.getElementById("theme");i.textContent=d()?"Light":"Dark";for(let w of n)w()}function S(){document.
getElementById("theme").addEventListener("click",()=>{s=d()?"light":"dark",u()}),t.addEventListener("change",u),addEventListener(
"beforeprint",()=>{c=!0,u()}),addEventListener("afterprint",()=>{c=!1,u()}),u()}function x(i){return o.style.color="var(\
--"+i+")",getComputedStyle(o).color}function M(i){return getComputedStyle(e).getPropertyValue("--"+i).trim()}return{start:S,
color:x,font:M,onChange:i=>n.push(i)}})();document.documentElement.classList.add("js");b.start();var r=document.querySelector("[data-search]");function E(e){let t=e.
value.toLowerCase().split(/\s+/).filter(Boolean),n=0,o=document.querySelectorAll("[data-row]");for(let c of o){let d=c.textContent.
toLowerCase();c.hidden=!t.every(u=>d.includes(u)),c.hidden||n++}let s=f(n)+" of "+f(o.length)+" rows";document.getElementById(
"found").textContent=t.length?s:""}r&&(r.value=new URLSearchParams(location.search).get("q")??"",r.value&&E(r),r.addEventListener(
"input",()=>{let e=new URLSearchParams(location.search);r.value?e.set("q",r.value):e.delete("q"),history.replaceState(null,
"",location.pathname+(e.size?"?"+e:"")+location.hash),E(r)}),document.addEventListener("keydown",e=>{e.ctrlKey||e.metaKey||
e.altKey||e.target.matches("input, select, textarea")&&e.key!=="Escape"||(e.key==="/"&&(e.preventDefault(),r.focus()),e.
key==="Escape"&&r.value&&(r.value="",r.dispatchEvent(new Event("input"))))}));p();})();

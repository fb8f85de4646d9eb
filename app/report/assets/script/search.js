// Made of app/report/web/search.ts by `make web`.
"use strict";(()=>{function w(){for(let e of document.querySelectorAll("[data-copy]"))e.addEventListener("click",async()=>{let n=document.getElementById(
e.dataset.copy);try{await navigator.clipboard.writeText(n.textContent),e.textContent="Copied"}catch{getSelection().selectAllChildren(
n),e.textContent="Selected"}})}var g=(()=>{let e=[],n="",s=!1,c=!1,u=()=>{};function l(){let t=new URLSearchParams;for(let a of e)a.write(t);return t.size?
"#~"+t.toString().replaceAll("%2C",","):""}function m(t){c||=t,!s&&(s=!0,queueMicrotask(()=>{let a=l();if(a!==n){let o=new URL(
location.href);o.hash=a,c?history.pushState({view:a},"",o):history.replaceState({view:a},"",o),n=a}s=c=!1}))}function r(){
let t=location.hash&&!location.hash.startsWith("#~")?location.hash.slice(1):"",a=history.state?.view;if(t&&typeof a!="st\
ring"){u(t),n=l(),history.replaceState({view:n},"");return}let o=t?String(a):location.hash;if(o===n)return;let f=new URLSearchParams(
o.slice(2));for(let B of e)B.read(f);n=l()}function i(t,a){return e=t,a&&(u=a),addEventListener("popstate",r),addEventListener(
"hashchange",r),r(),new URLSearchParams(n.slice(2))}return{start:i,changed:m}})();var C=50,y=(()=>{let e=new Map,n=new Map,s=!1;function c(r){if(r.id)return r.id;let i=r.closest("[id]")??document.body,t=[
...i.querySelectorAll("details:not([id])")].filter(a=>(a.closest("[id]")??document.body)===i);return i.id+"."+t.indexOf(
r)}function u(r=g.changed){for(let t of document.querySelectorAll("details"))e.set(t,t.open),n.set(c(t),t);document.addEventListener(
"toggle",()=>{s||r(!0)},!0);let i=[];addEventListener("beforeprint",()=>{s=!0,i=[...document.querySelectorAll("details.f\
inding:not([open])")];for(let t of i)t.open=!0}),addEventListener("afterprint",()=>{for(let t of i)t.open=!1;s=!1})}let l={
write:r=>{let i=[...n].filter(([,t])=>t.open!==e.get(t));for(let[t,a]of[["unfold",!0],["fold",!1]]){let o=i.filter(([,f])=>f.
open===a).map(([f])=>f).slice(0,C);o.length&&r.set(t,o.join(","))}},read:r=>{let i=o=>new Set((r.get(o)??"").split(",")),
t=i("unfold"),a=i("fold");for(let[o,f]of n)f.open=t.has(o)||e.get(f)&&!a.has(o)}};function m(r){let i=document.getElementById(
r),t=i?.closest("details");!t||t.open||(t.open=!0,i.scrollIntoView())}return{start:u,part:l,follow:m}})();var L=[[1099511627776," TiB",1],[1073741824," GiB",1],[1048576," MiB",1],[1024," KiB",1],[1," B",0]],q=[[86400," days",2],
[3600," h",2],[60," min",10],[1," s",1],[.001," ms",1],[1e-6," µs",1],[1e-9," ns",0]],A=[[1e12," T",1],[1e9," G",1],[1e6,
" M",1],[1e3," k",0]];function M(e){return Number(e.toPrecision(3))}function b(e){return e.replace(/\.?0+(e|$)/,"$1")}function p(e){
if(e<0)return"−"+p(-e);if(e===0)return"0";if(e<5e-7)return"<0.000001";if(e>=1e15)return b(e.toExponential(2));if(e>=99.95)
return e.toFixed(0).replace(/\B(?=(\d{3})+$)/g,",");let n=2-Math.floor(Math.log10(M(e))+1e-9),s=e.toFixed(Math.min(n,6));
return s.includes(".")?b(s):s}function R(e){return Math.abs(e)<1?Number(e.toPrecision(2)):Math.round(10*e)/10}function h(e,n){
if(e<0)return"−"+h(-e,n);for(let[s,c,u]of n)if(e>0?M(e/s)>=u:s===1)return p(e/s)+c;return p(e)}function S(e){return e<
0?"−"+S(-e):Math.round(e)<1e4?p(e):h(e,A)}function T(e,n){switch(n){case"bytes":return h(e,L);case"bytes/s":return h(e,
L)+"/s";case"seconds":return h(e,q);case"share":return p(R(100*e))+" %";case"cores":return p(e)==="1"?"1 core":p(e)+" co\
res";case"1/s":return S(e)+"/s";case"count":case"":return S(e)}return S(e)+" "+n}function D(e,n){return e==null||!Number.
isFinite(e)?"–":T(e,n).replaceAll(" "," ")}function E(e){return D(e,"count")}var x=(()=>{let e=document.documentElement,n=matchMedia("(prefers-color-scheme: dark)"),s=[],c=document.createElement("s\
pan");c.hidden=!0,document.body.append(c);let u="",l=!1,m=()=>!l&&(u?u==="dark":n.matches);function r(){e.style.colorScheme=
l?"light":u;let o=document.getElementById("theme");o.textContent=m()?"Light":"Dark";for(let f of s)f()}function i(){document.
getElementById("theme").addEventListener("click",()=>{u=m()?"light":"dark",r()}),n.addEventListener("change",r),addEventListener(
"beforeprint",()=>{l=!0,r()}),addEventListener("afterprint",()=>{l=!1,r()}),r()}function t(o){return c.style.color="var(\
--"+o+")",getComputedStyle(c).color}function a(o){return getComputedStyle(e).getPropertyValue("--"+o).trim()}return{start:i,
color:t,font:a,onChange:o=>s.push(o)}})();document.documentElement.classList.add("js");x.start();var d=document.querySelector("[data-search]");function P(e){let n=e.
value.toLowerCase().split(/\s+/).filter(Boolean),s=0,c=document.querySelectorAll("[data-row]");for(let l of c){let m=l.textContent.
toLowerCase();l.hidden=!n.every(r=>m.includes(r)),l.hidden||s++}let u=E(s)+" of "+E(c.length)+" rows";document.getElementById(
"found").textContent=n.length?u:""}function k(){d&&(d.value=new URLSearchParams(location.search).get("q")??"",P(d))}y.start();
k();g.start([y.part],y.follow);addEventListener("popstate",k);d&&(d.addEventListener("input",()=>{let e=new URLSearchParams(
location.search);d.value?e.set("q",d.value):e.delete("q"),history.replaceState(history.state,"",location.pathname+(e.size?
"?"+e:"")+location.hash),P(d)}),document.addEventListener("keydown",e=>{e.ctrlKey||e.metaKey||e.altKey||e.target.matches(
"input, select, textarea")&&e.key!=="Escape"||(e.key==="/"&&(e.preventDefault(),d.focus()),e.key==="Escape"&&d.value&&(d.
value="",d.dispatchEvent(new Event("input"))))}));w();})();

// Made of app/report/web/search.ts by `make web`.
"use strict";(()=>{function k(){for(let e of document.querySelectorAll("[data-copy]"))e.addEventListener("click",async()=>{let r=document.getElementById(
e.dataset.copy);try{await navigator.clipboard.writeText(r.textContent),e.textContent="Copied"}catch{getSelection().selectAllChildren(
r),e.textContent="Selected"}})}var S=(()=>{let e=[],r="",a=!1,l=!1,f=()=>{};function u(){let o=new URLSearchParams;for(let c of e)c.write(o);return o.size?
"#~"+o.toString().replaceAll("%2C",","):""}function y(o){l||=o,!a&&(a=!0,queueMicrotask(()=>{let c=u();if(c!==r){let t=new URL(
location.href);t.hash=c,l?history.pushState({view:c},"",t):history.replaceState({view:c},"",t),r=c}a=l=!1}))}function s(){
let o=location.hash&&!location.hash.startsWith("#~")?location.hash.slice(1):"",c=history.state?.view;if(o&&typeof c!="st\
ring"){f(o),r=u(),history.replaceState({view:r},"");return}let t=o?String(c):location.hash;if(t===r)return;let n=new URLSearchParams(
t.slice(2));for(let m of e)m.read(n);r=u()}function i(o,c){return e=o,c&&(f=c),addEventListener("popstate",s),addEventListener(
"hashchange",s),s(),new URLSearchParams(r.slice(2))}return{start:i,changed:y}})();var I=50,w=(()=>{let e=new Map,r=new Map,a=!1;function l(s){if(s.id)return s.id;let i=s.closest("[id]")??document.body,o=[
...i.querySelectorAll("details:not([id])")].filter(c=>(c.closest("[id]")??document.body)===i);return i.id+"."+o.indexOf(
s)}function f(s=S.changed){for(let o of document.querySelectorAll("details"))e.set(o,o.open),r.set(l(o),o);document.addEventListener(
"toggle",()=>{a||s(!0)},!0);let i=[];addEventListener("beforeprint",()=>{a=!0,i=[...document.querySelectorAll("details.f\
inding:not([open])")];for(let o of i)o.open=!0}),addEventListener("afterprint",()=>{for(let o of i)o.open=!1;a=!1})}let u={
write:s=>{let i=[...r].filter(([,o])=>o.open!==e.get(o));for(let[o,c]of[["unfold",!0],["fold",!1]]){let t=i.filter(([,n])=>n.
open===c).map(([n])=>n).slice(0,I);t.length&&s.set(o,t.join(","))}},read:s=>{let i=t=>new Set((s.get(t)??"").split(",")),
o=i("unfold"),c=i("fold");for(let[t,n]of r)n.open=o.has(t)||e.get(n)&&!c.has(t)}};function y(s){let i=document.getElementById(
s),o=i?.closest("details");!o||o.open||(o.open=!0,i.scrollIntoView())}return{start:f,part:u,follow:y}})();var x=[[1099511627776," TiB",1],[1073741824," GiB",1],[1048576," MiB",1],[1024," KiB",1],[1," B",0]],A=[[86400," days",2],
[3600," h",2],[60," min",10],[1," s",1],[.001," ms",1],[1e-6," µs",1],[1e-9," ns",0]],v=[[1e12," T",1],[1e9," G",1],[1e6,
" M",1],[1e3," k",0]];function T(e){return Number(e.toPrecision(3))}function q(e){return e.replace(/\.?0+(e|$)/,"$1")}function g(e){
if(e<0)return"−"+g(-e);if(e===0)return"0";if(e<5e-7)return"<0.000001";if(e>=1e15)return q(e.toExponential(2));if(e>=99.95)
return e.toFixed(0).replace(/\B(?=(\d{3})+$)/g,",");let r=2-Math.floor(Math.log10(T(e))+1e-9),a=e.toFixed(Math.min(r,6));
return a.includes(".")?q(a):a}function R(e){return Math.abs(e)<1?Number(e.toPrecision(2)):Math.round(10*e)/10}function E(e,r){
if(e<0)return"−"+E(-e,r);for(let[a,l,f]of r)if(e>0?T(e/a)>=f:a===1)return g(e/a)+l;return g(e)}function L(e){return e<
0?"−"+L(-e):Math.round(e)<1e4?g(e):E(e,v)}function D(e,r){switch(r){case"bytes":return E(e,x);case"bytes/s":return E(e,
x)+"/s";case"seconds":return E(e,A);case"share":return g(R(100*e))+" %";case"cores":return g(e)==="1"?"1 core":g(e)+" co\
res";case"1/s":return L(e)+"/s";case"count":case"":return L(e)}return L(e)+" "+r}function K(e,r){return e==null||!Number.
isFinite(e)?"–":D(e,r).replaceAll(" "," ")}function b(e){return K(e,"count")}var M="casebook-keys-off",B=(()=>{let e=()=>document.querySelector(".bar.site"),r=t=>document.getElementById(t),a=0,l=!1;
function f(t){l=t;try{l?localStorage.setItem(M,"1"):localStorage.removeItem(M)}catch{}}function u(){let t=["the page: "+
document.title],n=m=>[...m].map(([d,p])=>d+" "+p).join(", ");return location.search&&t.push("what was asked for: "+n(new URLSearchParams(
location.search))),location.hash.startsWith("#~")?t.push("what you chose on it: "+n(new URLSearchParams(location.hash.slice(
2)))):location.hash&&t.push("the part: "+location.hash.slice(1)),t}function y(){document.getElementById("share-address").
textContent=location.href,document.getElementById("share-holds").replaceChildren(...u().map(m=>{let d=document.createElement(
"li");return d.textContent=m.length>300?m.slice(0,300)+"…":m,d}));let t=/^\/cases\/([^/]+)/.exec(location.pathname)?.[1],
n=(m,d)=>{document.getElementById("share-"+m).hidden=!d};n("local",["localhost","127.0.0.1","[::1]"].includes(location.hostname)),
n("kept",!!t),n("now",!t),n("file",!!t),t&&document.querySelector("#share-file a").setAttribute("href","/api/v1/cases/"+
t+"/zip"),r("share").showModal()}function s(t){document.querySelector("dialog[open]")||(t==="share"?y():r(t).showModal())}
function i(t){let n=[...document.querySelectorAll("main [data-go-row], main tbody tr")].map(p=>p.matches("a")?p:p.querySelector(
"a")).filter(p=>!!p&&p.checkVisibility());if(!n.length)return!1;let m=document.activeElement,d=n.findIndex(p=>p===m||!!p.
closest("tr")?.contains(m));return n[d<0?t>0?0:n.length-1:Math.min(Math.max(d+t,0),n.length-1)].focus(),!0}function o(t){
let n=t.key,m=Date.now()-a<1500;if(a=0,m){let d=e().querySelector('[data-go="'+CSS.escape(n)+'"]');return d&&d.click(),!!d}
switch(n){case"g":return a=Date.now(),!0;case"s":return s("share"),!0;case"?":return s(document.querySelector("#keys")?"\
keys":"sitekeys"),!0;case"j":return i(1);case"k":return i(-1);case"/":{let d=document.querySelector("main input[type=sea\
rch], header input[type=search]");return d?.focus(),!!d}}return!1}function c(){if(!e())return;try{l=localStorage.getItem(
M)==="1"}catch{}for(let n of document.querySelectorAll("[data-open]"))n.addEventListener("click",()=>s(n.dataset.open));
for(let n of document.querySelectorAll("[data-close]"))n.addEventListener("click",()=>n.closest("dialog").close());let t=document.
getElementById("single");t.checked=!l,t.addEventListener("change",()=>f(!t.checked)),document.addEventListener("keydown",
n=>{l||n.defaultPrevented||n.ctrlKey||n.metaKey||n.altKey||document.querySelector("dialog[open]")||n.target.matches("inp\
ut, select, textarea, [role=application]")&&n.key!=="?"||n.target.matches("input, textarea")||o(n)&&n.preventDefault()})}
return{start:c}})();var P=(()=>{let e=document.documentElement,r=matchMedia("(prefers-color-scheme: dark)"),a=[],l=document.createElement("s\
pan");l.hidden=!0,document.body.append(l);let f="",u=!1,y=()=>!u&&(f?f==="dark":r.matches);function s(){e.style.colorScheme=
u?"light":f;let t=document.getElementById("theme");t.textContent=y()?"Light":"Dark";for(let n of a)n()}function i(){document.
getElementById("theme").addEventListener("click",()=>{f=y()?"light":"dark",s()}),r.addEventListener("change",s),addEventListener(
"beforeprint",()=>{u=!0,s()}),addEventListener("afterprint",()=>{u=!1,s()}),s()}function o(t){return l.style.color="var(\
--"+t+")",getComputedStyle(l).color}function c(t){return getComputedStyle(e).getPropertyValue("--"+t).trim()}return{start:i,
color:o,font:c,onChange:t=>a.push(t)}})();document.documentElement.classList.add("js");P.start();B.start();var h=document.querySelector("[data-search]");function C(e){
let r=e.value.toLowerCase().split(/\s+/).filter(Boolean),a=0,l=document.querySelectorAll("[data-row]");for(let u of l){let y=u.
textContent.toLowerCase();u.hidden=!r.every(s=>y.includes(s)),u.hidden||a++}let f=b(a)+" of "+b(l.length)+" rows";document.
getElementById("found").textContent=r.length?f:""}function H(){h&&(h.value=new URLSearchParams(location.search).get("q")??
"",C(h))}w.start();H();S.start([w.part],w.follow);addEventListener("popstate",H);h&&(h.addEventListener("input",()=>{let e=new URLSearchParams(
location.search);h.value?e.set("q",h.value):e.delete("q"),history.replaceState(history.state,"",location.pathname+(e.size?
"?"+e:"")+location.hash),C(h)}),document.addEventListener("keydown",e=>{e.ctrlKey||e.metaKey||e.altKey||e.target.matches(
"input, select, textarea")&&e.key!=="Escape"||(e.key==="/"&&(e.preventDefault(),h.focus()),e.key==="Escape"&&h.value&&(h.
value="",h.dispatchEvent(new Event("input"))))}));k();})();

// Made of app/server/web/live.ts by `make web`.
"use strict";(()=>{var w=(()=>{let i=[],l="",m=!1,d=!1,f=()=>{};function h(){let n=new URLSearchParams;for(let s of i)s.write(n);return n.size?
"#~"+n.toString().replaceAll("%2C",","):""}function c(n){d||=n,!m&&(m=!0,queueMicrotask(()=>{let s=h();if(s!==l){let t=new URL(
location.href);t.hash=s,d?history.pushState({view:s},"",t):history.replaceState({view:s},"",t),l=s}m=d=!1}))}function o(){
let n=location.hash&&!location.hash.startsWith("#~")?location.hash.slice(1):"",s=history.state?.view;if(n&&typeof s!="st\
ring"){f(n),l=h(),history.replaceState({view:l},"");return}let t=n?String(s):location.hash;if(t===l)return;let e=new URLSearchParams(
t.slice(2));for(let a of i)a.read(e);l=h()}function r(n,s){return i=n,s&&(f=s),addEventListener("popstate",o),addEventListener(
"hashchange",o),o(),new URLSearchParams(l.slice(2))}return{start:r,changed:c}})();var C=50,S=(()=>{let i=new Map,l=new Map,m=!1;function d(o){if(o.id)return o.id;let r=o.closest("[id]")??document.body,n=[
...r.querySelectorAll("details:not([id])")].filter(s=>(s.closest("[id]")??document.body)===r);return r.id+"."+n.indexOf(
o)}function f(o=w.changed){for(let n of document.querySelectorAll("details"))i.set(n,n.open),l.set(d(n),n);document.addEventListener(
"toggle",()=>{m||o(!0)},!0);let r=[];addEventListener("beforeprint",()=>{m=!0,r=[...document.querySelectorAll("details.f\
inding:not([open])")];for(let n of r)n.open=!0}),addEventListener("afterprint",()=>{for(let n of r)n.open=!1;m=!1})}let h={
write:o=>{let r=[...l].filter(([,n])=>n.open!==i.get(n));for(let[n,s]of[["unfold",!0],["fold",!1]]){let t=r.filter(([,e])=>e.
open===s).map(([e])=>e).slice(0,C);t.length&&o.set(n,t.join(","))}},read:o=>{let r=t=>new Set((o.get(t)??"").split(",")),
n=r("unfold"),s=r("fold");for(let[t,e]of l)e.open=n.has(t)||i.get(e)&&!s.has(t)}};function c(o){let r=document.getElementById(
o),n=r?.closest("details");!n||n.open||(n.open=!0,r.scrollIntoView())}return{start:f,part:h,follow:c}})();function b(){for(let i of document.querySelectorAll("[data-copy]"))i.addEventListener("click",async()=>{let l=document.getElementById(
i.dataset.copy);try{await navigator.clipboard.writeText(l.textContent),i.textContent="Copied"}catch{getSelection().selectAllChildren(
l),i.textContent="Selected"}})}var L="casebook-keys-off",k=(()=>{let i=()=>document.querySelector(".bar.site"),l=t=>document.getElementById(t),m=0,d=!1;
function f(t){d=t;try{d?localStorage.setItem(L,"1"):localStorage.removeItem(L)}catch{}}function h(){let t=["the page: "+
document.title],e=a=>[...a].map(([u,p])=>u+" "+p).join(", ");return location.search&&t.push("what was asked for: "+e(new URLSearchParams(
location.search))),location.hash.startsWith("#~")?t.push("what you chose on it: "+e(new URLSearchParams(location.hash.slice(
2)))):location.hash&&t.push("the part: "+location.hash.slice(1)),t}function c(){document.getElementById("share-address").
textContent=location.href,document.getElementById("share-holds").replaceChildren(...h().map(a=>{let u=document.createElement(
"li");return u.textContent=a.length>300?a.slice(0,300)+"…":a,u}));let t=/^\/cases\/([^/]+)/.exec(location.pathname)?.[1],
e=(a,u)=>{document.getElementById("share-"+a).hidden=!u};e("local",["localhost","127.0.0.1","[::1]"].includes(location.hostname)),
e("kept",!!t),e("now",!t),e("file",!!t),t&&document.querySelector("#share-file a").setAttribute("href","/api/v1/cases/"+
t+"/zip"),l("share").showModal()}function o(t){document.querySelector("dialog[open]")||(t==="share"?c():l(t).showModal())}
function r(t){let e=[...document.querySelectorAll("main [data-go-row], main tbody tr")].map(p=>p.matches("a")?p:p.querySelector(
"a")).filter(p=>!!p&&p.checkVisibility());if(!e.length)return!1;let a=document.activeElement,u=e.findIndex(p=>p===a||!!p.
closest("tr")?.contains(a));return e[u<0?t>0?0:e.length-1:Math.min(Math.max(u+t,0),e.length-1)].focus(),!0}function n(t){
let e=t.key,a=Date.now()-m<1500;if(m=0,a){let u=i().querySelector('[data-go="'+CSS.escape(e)+'"]');return u&&u.click(),!!u}
switch(e){case"g":return m=Date.now(),!0;case"s":return o("share"),!0;case"?":return o(document.querySelector("#keys")?"\
keys":"sitekeys"),!0;case"j":return r(1);case"k":return r(-1);case"/":{let u=document.querySelector("main input[type=sea\
rch], header input[type=search]");return u?.focus(),!!u}}return!1}function s(){if(!i())return;try{d=localStorage.getItem(
L)==="1"}catch{}for(let e of document.querySelectorAll("[data-open]"))e.addEventListener("click",()=>o(e.dataset.open));
for(let e of document.querySelectorAll("[data-close]"))e.addEventListener("click",()=>e.closest("dialog").close());let t=document.
getElementById("single");t.checked=!d,t.addEventListener("change",()=>f(!t.checked)),document.addEventListener("keydown",
e=>{d||e.defaultPrevented||e.ctrlKey||e.metaKey||e.altKey||document.querySelector("dialog[open]")||e.target.matches("inp\
ut, select, textarea, [role=application]")&&e.key!=="?"||e.target.matches("input, textarea")||n(e)&&e.preventDefault()})}
return{start:s}})();var T=(()=>{let i=document.documentElement,l=matchMedia("(prefers-color-scheme: dark)"),m=[],d=document.createElement("s\
pan");d.hidden=!0,document.body.append(d);let f="",h=!1,c=()=>!h&&(f?f==="dark":l.matches);function o(){i.style.colorScheme=
h?"light":f;let t=document.getElementById("theme");t.textContent=c()?"Light":"Dark";for(let e of m)e()}function r(){document.
getElementById("theme").addEventListener("click",()=>{f=c()?"light":"dark",o()}),l.addEventListener("change",o),addEventListener(
"beforeprint",()=>{h=!0,o()}),addEventListener("afterprint",()=>{h=!1,o()}),o()}function n(t){return d.style.color="var(\
--"+t+")",getComputedStyle(d).color}function s(t){return getComputedStyle(i).getPropertyValue("--"+t).trim()}return{start:r,
color:n,font:s,onChange:t=>m.push(t)}})();(()=>{let l="http://www.w3.org/2000/svg";function m(c,o){let r=c.querySelector("polyline");if(!r){let e=document.createElementNS(
l,"svg");e.setAttribute("viewBox","0 0 120 24"),e.setAttribute("preserveAspectRatio","none"),e.setAttribute("aria-hidden",
"true"),r=e.appendChild(document.createElementNS(l,"polyline")),c.replaceChildren(e)}let n=Math.min(...o),s=Math.max(...o),
t=s-n;r.setAttribute("points",o.map((e,a)=>120-o.length+a+","+(t>0?22-20*(e-n)/t:12)).join(" "))}function d(c,o,r,n){for(let e of c.
rows)if(e.dataset.name===o)return e;for(let e of[...c.rows])e.dataset.name||e.remove();let s=c.insertRow(Math.min(n,c.rows.
length));s.dataset.name=o;let t=s.appendChild(document.createElement("th"));t.scope="row",t.textContent=o;for(let e=1;e<
r;e++)s.insertCell();return s}function f(c,o){for(let r of[...c.rows])r.dataset.name&&!o.has(r.dataset.name)&&r.remove()}
function h(c){let o=a=>c.querySelector("[data-"+a+"]"),r=new Map,n=null;function s(a){let u=o("state");u.textContent=a.state,
u.className="state "+a.state,o("problem").textContent=a.problem||"",o("problem").hidden=!a.problem,o("taking-id").textContent=
a.taking||"",o("taking").hidden=!a.taking,a.time&&(o("time").textContent=a.time.slice(0,19).replace("T"," ")+" UTC");let p=o(
"vitals"),M=o("rules");a.vitals.forEach((g,v)=>{let E=d(p,g.name,3,v);E.cells[1].textContent=g.text;let y=r.get(g.name)||
[];y.push(g.value),y.length>120&&y.shift(),r.set(g.name,y),y.length>1&&m(E.cells[2],y)}),a.vitals.length&&f(p,new Set(a.
vitals.map(g=>g.name))),a.rules.forEach((g,v)=>{let E=d(M,g.name,2,v);E.cells[1].textContent=g.reason,E.className=g.fired?
"fired":""}),a.rules.length&&f(M,new Set(a.rules.map(g=>g.name)))}function t(){n=new EventSource("/api/v1/targets/"+encodeURIComponent(
c.dataset.target)+"/events"),n.onopen=()=>{o("live").textContent="live"},n.onerror=()=>{o("live").textContent="not live;\
 trying again"},n.addEventListener("status",a=>s(JSON.parse(a.data))),n.addEventListener("gone",()=>{n.close(),o("live").
textContent="not watched any more"})}function e(){c.open&&!n&&t(),!c.open&&n&&(n.close(),n=null)}c.addEventListener("tog\
gle",e),e()}document.documentElement.classList.add("js"),T.start(),k.start(),b(),S.start(),w.start([S.part],S.follow),document.
querySelectorAll("details.target").forEach(h)})();})();

// Made of app/server/web/folds.ts by `make web`.
"use strict";(()=>{var g=(()=>{let c=[],a="",d=!1,l=!1,m=()=>{};function f(){let n=new URLSearchParams;for(let r of c)r.write(n);return n.size?
"#~"+n.toString().replaceAll("%2C",","):""}function p(n){l||=n,!d&&(d=!0,queueMicrotask(()=>{let r=f();if(r!==a){let e=new URL(
location.href);e.hash=r,l?history.pushState({view:r},"",e):history.replaceState({view:r},"",e),a=r}d=l=!1}))}function o(){
let n=location.hash&&!location.hash.startsWith("#~")?location.hash.slice(1):"",r=history.state?.view;if(n&&typeof r!="st\
ring"){m(n),a=f(),history.replaceState({view:a},"");return}let e=n?String(r):location.hash;if(e===a)return;let t=new URLSearchParams(
e.slice(2));for(let u of c)u.read(t);a=f()}function s(n,r){return c=n,r&&(m=r),addEventListener("popstate",o),addEventListener(
"hashchange",o),o(),new URLSearchParams(a.slice(2))}return{start:s,changed:p}})();var v=50,y=(()=>{let c=new Map,a=new Map,d=!1;function l(o){if(o.id)return o.id;let s=o.closest("[id]")??document.body,n=[
...s.querySelectorAll("details:not([id])")].filter(r=>(r.closest("[id]")??document.body)===s);return s.id+"."+n.indexOf(
o)}function m(o=g.changed){for(let n of document.querySelectorAll("details"))c.set(n,n.open),a.set(l(n),n);document.addEventListener(
"toggle",()=>{d||o(!0)},!0);let s=[];addEventListener("beforeprint",()=>{d=!0,s=[...document.querySelectorAll("details.f\
inding:not([open])")];for(let n of s)n.open=!0}),addEventListener("afterprint",()=>{for(let n of s)n.open=!1;d=!1})}let f={
write:o=>{let s=[...a].filter(([,n])=>n.open!==c.get(n));for(let[n,r]of[["unfold",!0],["fold",!1]]){let e=s.filter(([,t])=>t.
open===r).map(([t])=>t).slice(0,v);e.length&&o.set(n,e.join(","))}},read:o=>{let s=e=>new Set((o.get(e)??"").split(",")),
n=s("unfold"),r=s("fold");for(let[e,t]of a)t.open=n.has(e)||c.get(t)&&!r.has(e)}};function p(o){let s=document.getElementById(
o),n=s?.closest("details");!n||n.open||(n.open=!0,s.scrollIntoView())}return{start:m,part:f,follow:p}})();function L(){for(let c of document.querySelectorAll("[data-copy]"))c.addEventListener("click",async()=>{let a=document.getElementById(
c.dataset.copy);try{await navigator.clipboard.writeText(a.textContent),c.textContent="Copied"}catch{getSelection().selectAllChildren(
a),c.textContent="Selected"}})}var E="casebook-keys-off",S=(()=>{let c=()=>document.querySelector(".bar.site"),a=e=>document.getElementById(e),d=0,l=!1;
function m(e){l=e;try{l?localStorage.setItem(E,"1"):localStorage.removeItem(E)}catch{}}function f(){let e=["the page: "+
document.title],t=u=>[...u].map(([i,h])=>i+" "+h).join(", ");return location.search&&e.push("what was asked for: "+t(new URLSearchParams(
location.search))),location.hash.startsWith("#~")?e.push("what you chose on it: "+t(new URLSearchParams(location.hash.slice(
2)))):location.hash&&e.push("the part: "+location.hash.slice(1)),e}function p(){document.getElementById("share-address").
textContent=location.href,document.getElementById("share-holds").replaceChildren(...f().map(u=>{let i=document.createElement(
"li");return i.textContent=u.length>300?u.slice(0,300)+"…":u,i}));let e=/^\/cases\/([^/]+)/.exec(location.pathname)?.[1],
t=(u,i)=>{document.getElementById("share-"+u).hidden=!i};t("local",["localhost","127.0.0.1","[::1]"].includes(location.hostname)),
t("kept",!!e),t("now",!e),t("file",!!e),e&&document.querySelector("#share-file a").setAttribute("href","/api/v1/cases/"+
e+"/zip"),a("share").showModal()}function o(e){document.querySelector("dialog[open]")||(e==="share"?p():a(e).showModal())}
function s(e){let t=[...document.querySelectorAll("main [data-go-row], main tbody tr")].map(h=>h.matches("a")?h:h.querySelector(
"a")).filter(h=>!!h&&h.checkVisibility());if(!t.length)return!1;let u=document.activeElement,i=t.findIndex(h=>h===u||!!h.
closest("tr")?.contains(u));return t[i<0?e>0?0:t.length-1:Math.min(Math.max(i+e,0),t.length-1)].focus(),!0}function n(e){
let t=e.key,u=Date.now()-d<1500;if(d=0,u){let i=c().querySelector('[data-go="'+CSS.escape(t)+'"]');return i&&i.click(),!!i}
switch(t){case"g":return d=Date.now(),!0;case"s":return o("share"),!0;case"?":return o(document.querySelector("#keys")?"\
keys":"sitekeys"),!0;case"j":return s(1);case"k":return s(-1);case"/":{let i=document.querySelector("main input[type=sea\
rch], header input[type=search]");return i?.focus(),!!i}}return!1}function r(){if(!c())return;try{l=localStorage.getItem(
E)==="1"}catch{}for(let t of document.querySelectorAll("[data-open]"))t.addEventListener("click",()=>o(t.dataset.open));
for(let t of document.querySelectorAll("[data-close]"))t.addEventListener("click",()=>t.closest("dialog").close());let e=document.
getElementById("single");e.checked=!l,e.addEventListener("change",()=>m(!e.checked)),document.addEventListener("keydown",
t=>{l||t.defaultPrevented||t.ctrlKey||t.metaKey||t.altKey||document.querySelector("dialog[open]")||t.target.matches("inp\
ut, select, textarea, [role=application]")&&t.key!=="?"||t.target.matches("input, textarea")||n(t)&&t.preventDefault()})}
return{start:r}})();var w=(()=>{let c=document.documentElement,a=matchMedia("(prefers-color-scheme: dark)"),d=[],l=document.createElement("s\
pan");l.hidden=!0,document.body.append(l);let m="",f=!1,p=()=>!f&&(m?m==="dark":a.matches);function o(){c.style.colorScheme=
f?"light":m;let e=document.getElementById("theme");e.textContent=p()?"Light":"Dark";for(let t of d)t()}function s(){document.
getElementById("theme").addEventListener("click",()=>{m=p()?"light":"dark",o()}),a.addEventListener("change",o),addEventListener(
"beforeprint",()=>{f=!0,o()}),addEventListener("afterprint",()=>{f=!1,o()}),o()}function n(e){return l.style.color="var(\
--"+e+")",getComputedStyle(l).color}function r(e){return getComputedStyle(c).getPropertyValue("--"+e).trim()}return{start:s,
color:n,font:r,onChange:e=>d.push(e)}})();document.documentElement.classList.add("js");w.start();S.start();L();y.start();g.start([y.part],y.follow);})();

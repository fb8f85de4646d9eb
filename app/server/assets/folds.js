// Made of app/server/web/folds.ts by `make web`.
"use strict";(()=>{var u=(()=>{let i=[],s="",l=!1,c=!1,d=()=>{};function f(){let e=new URLSearchParams;for(let t of i)t.write(e);return e.size?
"#~"+e.toString().replaceAll("%2C",","):""}function p(e){c||=e,!l&&(l=!0,queueMicrotask(()=>{let t=f();if(t!==s){let r=new URL(
location.href);r.hash=t,c?history.pushState({view:t},"",r):history.replaceState({view:t},"",r),s=t}l=c=!1}))}function o(){
let e=location.hash&&!location.hash.startsWith("#~")?location.hash.slice(1):"",t=history.state?.view;if(e&&typeof t!="st\
ring"){d(e),s=f(),history.replaceState({view:s},"");return}let r=e?String(t):location.hash;if(r===s)return;let a=new URLSearchParams(
r.slice(2));for(let m of i)m.read(a);s=f()}function n(e,t){return i=e,t&&(d=t),addEventListener("popstate",o),addEventListener(
"hashchange",o),o(),new URLSearchParams(s.slice(2))}return{start:n,changed:p}})();var g=50,h=(()=>{let i=new Map,s=new Map,l=!1;function c(o){if(o.id)return o.id;let n=o.closest("[id]")??document.body,e=[
...n.querySelectorAll("details:not([id])")].filter(t=>(t.closest("[id]")??document.body)===n);return n.id+"."+e.indexOf(
o)}function d(o=u.changed){for(let e of document.querySelectorAll("details"))i.set(e,e.open),s.set(c(e),e);document.addEventListener(
"toggle",()=>{l||o(!0)},!0);let n=[];addEventListener("beforeprint",()=>{l=!0,n=[...document.querySelectorAll("details.f\
inding:not([open])")];for(let e of n)e.open=!0}),addEventListener("afterprint",()=>{for(let e of n)e.open=!1;l=!1})}let f={
write:o=>{let n=[...s].filter(([,e])=>e.open!==i.get(e));for(let[e,t]of[["unfold",!0],["fold",!1]]){let r=n.filter(([,a])=>a.
open===t).map(([a])=>a).slice(0,g);r.length&&o.set(e,r.join(","))}},read:o=>{let n=r=>new Set((o.get(r)??"").split(",")),
e=n("unfold"),t=n("fold");for(let[r,a]of s)a.open=e.has(r)||i.get(a)&&!t.has(r)}};function p(o){let n=document.getElementById(
o),e=n?.closest("details");!e||e.open||(e.open=!0,n.scrollIntoView())}return{start:d,part:f,follow:p}})();h.start();u.start([h.part],h.follow);})();

// Made of app/server/web/live.ts by `make web`.
"use strict";(()=>{var w=(()=>{let d=[],l="",f=!1,u=!1,m=()=>{};function h(){let e=new URLSearchParams;for(let o of d)o.write(e);return e.size?
"#~"+e.toString().replaceAll("%2C",","):""}function i(e){u||=e,!f&&(f=!0,queueMicrotask(()=>{let o=h();if(o!==l){let s=new URL(
location.href);s.hash=o,u?history.pushState({view:o},"",s):history.replaceState({view:o},"",s),l=o}f=u=!1}))}function t(){
let e=location.hash&&!location.hash.startsWith("#~")?location.hash.slice(1):"",o=history.state?.view;if(e&&typeof o!="st\
ring"){m(e),l=h(),history.replaceState({view:l},"");return}let s=e?String(o):location.hash;if(s===l)return;let r=new URLSearchParams(
s.slice(2));for(let a of d)a.read(r);l=h()}function n(e,o){return d=e,o&&(m=o),addEventListener("popstate",t),addEventListener(
"hashchange",t),t(),new URLSearchParams(l.slice(2))}return{start:n,changed:i}})();var y=50,E=(()=>{let d=new Map,l=new Map,f=!1;function u(t){if(t.id)return t.id;let n=t.closest("[id]")??document.body,e=[
...n.querySelectorAll("details:not([id])")].filter(o=>(o.closest("[id]")??document.body)===n);return n.id+"."+e.indexOf(
t)}function m(t=w.changed){for(let e of document.querySelectorAll("details"))d.set(e,e.open),l.set(u(e),e);document.addEventListener(
"toggle",()=>{f||t(!0)},!0);let n=[];addEventListener("beforeprint",()=>{f=!0,n=[...document.querySelectorAll("details.f\
inding:not([open])")];for(let e of n)e.open=!0}),addEventListener("afterprint",()=>{for(let e of n)e.open=!1;f=!1})}let h={
write:t=>{let n=[...l].filter(([,e])=>e.open!==d.get(e));for(let[e,o]of[["unfold",!0],["fold",!1]]){let s=n.filter(([,r])=>r.
open===o).map(([r])=>r).slice(0,y);s.length&&t.set(e,s.join(","))}},read:t=>{let n=s=>new Set((t.get(s)??"").split(",")),
e=n("unfold"),o=n("fold");for(let[s,r]of l)r.open=e.has(s)||d.get(r)&&!o.has(s)}};function i(t){let n=document.getElementById(
t);n instanceof HTMLDetailsElement&&(n.open=!0)}return{start:m,part:h,follow:i}})();(()=>{let l="http://www.w3.org/2000/svg";function f(i,t){let n=i.querySelector("polyline");if(!n){let r=document.createElementNS(
l,"svg");r.setAttribute("viewBox","0 0 120 24"),r.setAttribute("preserveAspectRatio","none"),r.setAttribute("aria-hidden",
"true"),n=r.appendChild(document.createElementNS(l,"polyline")),i.replaceChildren(r)}let e=Math.min(...t),o=Math.max(...t),
s=o-e;n.setAttribute("points",t.map((r,a)=>120-t.length+a+","+(s>0?22-20*(r-e)/s:12)).join(" "))}function u(i,t,n,e){for(let r of i.
rows)if(r.dataset.name===t)return r;for(let r of[...i.rows])r.dataset.name||r.remove();let o=i.insertRow(Math.min(e,i.rows.
length));o.dataset.name=t;let s=o.appendChild(document.createElement("th"));s.scope="row",s.textContent=t;for(let r=1;r<
n;r++)o.insertCell();return o}function m(i,t){for(let n of[...i.rows])n.dataset.name&&!t.has(n.dataset.name)&&n.remove()}
function h(i){let t=a=>i.querySelector("[data-"+a+"]"),n=new Map,e=null;function o(a){let S=t("state");S.textContent=a.state,
S.className="state "+a.state,t("problem").textContent=a.problem||"",t("problem").hidden=!a.problem,t("taking-id").textContent=
a.taking||"",t("taking").hidden=!a.taking,a.time&&(t("time").textContent=a.time.slice(0,19).replace("T"," ")+" UTC");let L=t(
"vitals"),M=t("rules");a.vitals.forEach((c,v)=>{let g=u(L,c.name,3,v);g.cells[1].textContent=c.text;let p=n.get(c.name)||
[];p.push(c.value),p.length>120&&p.shift(),n.set(c.name,p),p.length>1&&f(g.cells[2],p)}),a.vitals.length&&m(L,new Set(a.
vitals.map(c=>c.name))),a.rules.forEach((c,v)=>{let g=u(M,c.name,2,v);g.cells[1].textContent=c.reason,g.className=c.fired?
"fired":""}),a.rules.length&&m(M,new Set(a.rules.map(c=>c.name)))}function s(){e=new EventSource("/api/v1/targets/"+encodeURIComponent(
i.dataset.target)+"/events"),e.onopen=()=>{t("live").textContent="live"},e.onerror=()=>{t("live").textContent="not live;\
 trying again"},e.addEventListener("status",a=>o(JSON.parse(a.data))),e.addEventListener("gone",()=>{e.close(),t("live").
textContent="not watched any more"})}function r(){i.open&&!e&&s(),!i.open&&e&&(e.close(),e=null)}i.addEventListener("tog\
gle",r),r()}E.start(),w.start([E.part],E.follow),document.querySelectorAll("details.target").forEach(h)})();})();

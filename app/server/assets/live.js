// Made of app/server/web/live.ts by `make web`.
"use strict";(()=>{var w=(()=>{let f=[],l="",d=!1,u=!1,m=()=>{};function p(){let e=new URLSearchParams;for(let o of f)o.write(e);return e.size?
"#~"+e.toString().replaceAll("%2C",","):""}function i(e){u||=e,!d&&(d=!0,queueMicrotask(()=>{let o=p();if(o!==l){let s=new URL(
location.href);s.hash=o,u?history.pushState({view:o},"",s):history.replaceState({view:o},"",s),l=o}d=u=!1}))}function t(){
let e=location.hash&&!location.hash.startsWith("#~")?location.hash.slice(1):"",o=history.state?.view;if(e&&typeof o!="st\
ring"){m(e),l=p(),history.replaceState({view:l},"");return}let s=e?String(o):location.hash;if(s===l)return;let r=new URLSearchParams(
s.slice(2));for(let a of f)a.read(r);l=p()}function n(e,o){return f=e,o&&(m=o),addEventListener("popstate",t),addEventListener(
"hashchange",t),t(),new URLSearchParams(l.slice(2))}return{start:n,changed:i}})();var y=50,E=(()=>{let f=new Map,l=new Map,d=!1;function u(t){if(t.id)return t.id;let n=t.closest("[id]")??document.body,e=[
...n.querySelectorAll("details:not([id])")].filter(o=>(o.closest("[id]")??document.body)===n);return n.id+"."+e.indexOf(
t)}function m(t=w.changed){for(let e of document.querySelectorAll("details"))f.set(e,e.open),l.set(u(e),e);document.addEventListener(
"toggle",()=>{d||t(!0)},!0);let n=[];addEventListener("beforeprint",()=>{d=!0,n=[...document.querySelectorAll("details.f\
inding:not([open])")];for(let e of n)e.open=!0}),addEventListener("afterprint",()=>{for(let e of n)e.open=!1;d=!1})}let p={
write:t=>{let n=[...l].filter(([,e])=>e.open!==f.get(e));for(let[e,o]of[["unfold",!0],["fold",!1]]){let s=n.filter(([,r])=>r.
open===o).map(([r])=>r).slice(0,y);s.length&&t.set(e,s.join(","))}},read:t=>{let n=s=>new Set((t.get(s)??"").split(",")),
e=n("unfold"),o=n("fold");for(let[s,r]of l)r.open=e.has(s)||f.get(r)&&!o.has(s)}};function i(t){let n=document.getElementById(
t),e=n?.closest("details");!e||e.open||(e.open=!0,n.scrollIntoView())}return{start:m,part:p,follow:i}})();(()=>{let l="http://www.w3.org/2000/svg";function d(i,t){let n=i.querySelector("polyline");if(!n){let r=document.createElementNS(
l,"svg");r.setAttribute("viewBox","0 0 120 24"),r.setAttribute("preserveAspectRatio","none"),r.setAttribute("aria-hidden",
"true"),n=r.appendChild(document.createElementNS(l,"polyline")),i.replaceChildren(r)}let e=Math.min(...t),o=Math.max(...t),
s=o-e;n.setAttribute("points",t.map((r,a)=>120-t.length+a+","+(s>0?22-20*(r-e)/s:12)).join(" "))}function u(i,t,n,e){for(let r of i.
rows)if(r.dataset.name===t)return r;for(let r of[...i.rows])r.dataset.name||r.remove();let o=i.insertRow(Math.min(e,i.rows.
length));o.dataset.name=t;let s=o.appendChild(document.createElement("th"));s.scope="row",s.textContent=t;for(let r=1;r<
n;r++)o.insertCell();return o}function m(i,t){for(let n of[...i.rows])n.dataset.name&&!t.has(n.dataset.name)&&n.remove()}
function p(i){let t=a=>i.querySelector("[data-"+a+"]"),n=new Map,e=null;function o(a){let S=t("state");S.textContent=a.state,
S.className="state "+a.state,t("problem").textContent=a.problem||"",t("problem").hidden=!a.problem,t("taking-id").textContent=
a.taking||"",t("taking").hidden=!a.taking,a.time&&(t("time").textContent=a.time.slice(0,19).replace("T"," ")+" UTC");let L=t(
"vitals"),M=t("rules");a.vitals.forEach((c,v)=>{let g=u(L,c.name,3,v);g.cells[1].textContent=c.text;let h=n.get(c.name)||
[];h.push(c.value),h.length>120&&h.shift(),n.set(c.name,h),h.length>1&&d(g.cells[2],h)}),a.vitals.length&&m(L,new Set(a.
vitals.map(c=>c.name))),a.rules.forEach((c,v)=>{let g=u(M,c.name,2,v);g.cells[1].textContent=c.reason,g.className=c.fired?
"fired":""}),a.rules.length&&m(M,new Set(a.rules.map(c=>c.name)))}function s(){e=new EventSource("/api/v1/targets/"+encodeURIComponent(
i.dataset.target)+"/events"),e.onopen=()=>{t("live").textContent="live"},e.onerror=()=>{t("live").textContent="not live;\
 trying again"},e.addEventListener("status",a=>o(JSON.parse(a.data))),e.addEventListener("gone",()=>{e.close(),t("live").
textContent="not watched any more"})}function r(){i.open&&!e&&s(),!i.open&&e&&(e.close(),e=null)}i.addEventListener("tog\
gle",r),r()}E.start(),w.start([E.part],E.follow),document.querySelectorAll("details.target").forEach(p)})();})();

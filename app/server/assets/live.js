// Made of app/server/web/live.ts by `make web`.
"use strict";(()=>{(()=>{let d="http://www.w3.org/2000/svg";function w(o,e){let i=o.querySelector("polyline");if(!i){let n=document.createElementNS(
d,"svg");n.setAttribute("viewBox","0 0 120 24"),n.setAttribute("preserveAspectRatio","none"),n.setAttribute("aria-hidden",
"true"),i=n.appendChild(document.createElementNS(d,"polyline")),o.replaceChildren(n)}let a=Math.min(...e),s=Math.max(...e),
l=s-a;i.setAttribute("points",e.map((n,t)=>120-e.length+t+","+(l>0?22-20*(n-a)/l:12)).join(" "))}function p(o,e,i,a){for(let n of o.
rows)if(n.dataset.name===e)return n;for(let n of[...o.rows])n.dataset.name||n.remove();let s=o.insertRow(Math.min(a,o.rows.
length));s.dataset.name=e;let l=s.appendChild(document.createElement("th"));l.scope="row",l.textContent=e;for(let n=1;n<
i;n++)s.insertCell();return s}function f(o,e){for(let i of[...o.rows])i.dataset.name&&!e.has(i.dataset.name)&&i.remove()}
function v(o){let e=t=>o.querySelector("[data-"+t+"]"),i=new Map,a=null;function s(t){let h=e("state");h.textContent=t.state,
h.className="state "+t.state,e("problem").textContent=t.problem||"",e("problem").hidden=!t.problem,e("taking-id").textContent=
t.taking||"",e("taking").hidden=!t.taking,t.time&&(e("time").textContent=t.time.slice(0,19).replace("T"," ")+" UTC");let g=e(
"vitals"),E=e("rules");t.vitals.forEach((r,u)=>{let m=p(g,r.name,3,u);m.cells[1].textContent=r.text;let c=i.get(r.name)||
[];c.push(r.value),c.length>120&&c.shift(),i.set(r.name,c),c.length>1&&w(m.cells[2],c)}),t.vitals.length&&f(g,new Set(t.
vitals.map(r=>r.name))),t.rules.forEach((r,u)=>{let m=p(E,r.name,2,u);m.cells[1].textContent=r.reason,m.className=r.fired?
"fired":""}),t.rules.length&&f(E,new Set(t.rules.map(r=>r.name)))}function l(){a=new EventSource("/api/v1/targets/"+encodeURIComponent(
o.dataset.target)+"/events"),a.onopen=()=>{e("live").textContent="live"},a.onerror=()=>{e("live").textContent="not live;\
 trying again"},a.addEventListener("status",t=>s(JSON.parse(t.data))),a.addEventListener("gone",()=>{a.close(),e("live").
textContent="not watched any more"})}function n(){o.open&&!a&&l(),!o.open&&a&&(a.close(),a=null)}o.addEventListener("tog\
gle",n),n()}document.querySelectorAll("details.target").forEach(v)})();})();

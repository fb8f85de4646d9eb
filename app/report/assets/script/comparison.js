// Made of app/report/web/comparison.ts by `make web`.
"use strict";(()=>{function Ne(){for(let e of document.querySelectorAll("[data-copy]"))e.addEventListener("click",async()=>{let t=document.
getElementById(e.dataset.copy);try{await navigator.clipboard.writeText(t.textContent),e.textContent="Copied"}catch{getSelection().
selectAllChildren(t),e.textContent="Selected"}})}var I=(()=>{let e=document.documentElement,t=matchMedia("(prefers-color-scheme: dark)"),n=[],r=document.createElement("s\
pan");r.hidden=!0,document.body.append(r);let o="",a=!1,l=()=>!a&&(o?o==="dark":t.matches);function s(){e.style.colorScheme=
a?"light":o;let u=document.getElementById("theme");u.textContent=l()?"Light":"Dark";for(let w of n)w()}function i(){document.
getElementById("theme").addEventListener("click",()=>{o=l()?"light":"dark",s()}),t.addEventListener("change",s),addEventListener(
"beforeprint",()=>{a=!0,s()}),addEventListener("afterprint",()=>{a=!1,s()}),s()}function f(u){return r.style.color="var(\
--"+u+")",getComputedStyle(r).color}function g(u){return getComputedStyle(e).getPropertyValue("--"+u).trim()}return{start:i,
color:f,font:g,onChange:u=>n.push(u)}})();var j=["user","dependency","std","runtime","label"],we=j.indexOf("label"),R=19,ze=.5,le=4;function Mt(){return{owner:j.map(
e=>I.color("f-"+e)),text:I.color("f-text"),rest:I.color("f-rest"),match:I.color("f-match"),mark:I.color("f-mark"),markText:I.
color("f-mark-text"),more:[1,2,3].map(e=>I.color("f-more"+e)),less:[1,2,3].map(e=>I.color("f-less"+e)),none:I.color("f-n\
one"),ground:I.color("raised"),focus:I.color("text"),muted:I.color("muted")}}function Ee(e){let t=e.search(/[[(]/);return e.
slice(e.lastIndexOf("/",t<0?e.length:t)+1)}function _(e,t){return t>=0&&e.funcs[t][2]===we}function X(e,t){return _(e,t)?
e.funcs[t][0]:Ee(e.funcs[t][0])}function Lt(e,t,n){let r=e.depth[t];for(let o=t;o<e.end[t];){if(e.total[o]*n<ze){o=e.end[o];
continue}e.depth[o]>r&&(r=e.depth[o]),o++}return r+1}function Ke(e,t){let n=e.map(({tree:o,zoom:a})=>Lt(o,a,o.total[a]>0?
t/o.total[a]:0));if(e.length===1)return Math.max(n[0],3);let r=n[1]-1;for(let o of e)o.base=r*R;return Math.max(r+n[0],3)}
function xe(e,t,n,r){let o=Math.floor((r+t.top-e[0].base)/R),a=o<0?1:0,{tree:l,zoom:s}=e[a],i=Math.abs(o);if(i<l.depth[s]){
let g=s;for(;g>=0&&l.depth[g]>i;)g=l.parent[g];return[a,g]}let f=l.x[s]+n/t.width*l.total[s];for(let g=s;g<l.end[s];){if(f<
l.x[g]||f>=l.x[g]+l.total[g]){g=l.end[g];continue}if(l.depth[g]===i)return[a,g];g++}return[a,-1]}function je(e,t,n){let{
tree:r,zoom:o,width:a,height:l,top:s,base:i,dir:f,from:g}=t,u=Mt(),w=r.total[o]>0?a/r.total[o]:0,E=new Float64Array(4096).
fill(-1);e.font="11.5px "+I.font("mono"),e.textBaseline="middle";let S=e.measureText("m").width,y={ctx:e,c:u,glyph:S,view:t,
data:n,t:r};for(let T=r.parent[o];T>=0;T=r.parent[T])Pe(y,T,0,r.depth[T]*R-s,a,!0);for(let T=o;T<r.end[o];){let H=i+f*r.
depth[T]*R-s,F=r.total[T]*w;if((f>0?H>l:H<-R)||F===0){T=r.end[T];continue}if(r.depth[T]<g){T++;continue}let C=(r.x[T]-r.
x[o])*w;if(F<ze){let z=Math.floor(C);H>-R&&H<l&&E[r.depth[T]]<z&&(e.fillStyle=u.rest,e.fillRect(z,H,1,R-1),E[r.depth[T]]=
z),T=r.end[T];continue}H>-R&&H<l&&Pe(y,T,C,H,F,!1),T++}}function At(e,t,n,r){if(!t.change)return r<0?e.rest:e.owner[r];let o=qe(
t.change[n]);return o>0?e.more[o-1]:o<0?e.less[-o-1]:e.none}function Pe({ctx:e,c:t,glyph:n,view:r,data:o,t:a},l,s,i,f,g){
let u=a.fn[l],w=u<0?-1:o.funcs[u][2],E=r.match&&u>=0&&r.match.has(u),S=g||r.match&&!E;e.globalAlpha=S?.4:a.change?1:[1,.86,
.93][u<0?0:u%3],e.fillStyle=E?t.match:At(t,a,l,w);let y=f>3?1:0;e.fillRect(s,i,f-y,R-1),E&&(e.fillStyle=t.text,e.fillRect(
s,i+R-3,f-y,2)),e.globalAlpha=g?.75:1;let T=s+le,H=u<0?void 0:r.marks.get(u);H&&(T=Ct(e,t,H,s,i,f-y,n));let F=a.change?We(
a.change[l]):"";kt(e,F+(u<0?"all":X(o,u)),t.text,T,i,s+f-le,n),e.globalAlpha=1,(l===r.selected||l===r.hover)&&(e.strokeStyle=
t.focus,e.lineWidth=l===r.selected?2:1,e.strokeRect(s+1,i+1,Math.max(f-y-2,1),R-3))}function Ct(e,t,n,r,o,a,l){if(e.fillStyle=
t.mark,a<5)return e.fillRect(r,o,a,R-1),r+le;e.strokeStyle=t.mark,e.lineWidth=2,e.strokeRect(r+1,o+1,a-2,R-3);let s=n.join(
" "),i=s.length*l+8;return i>a?r+le:(e.fillRect(r,o,i,R-1),e.fillStyle=t.markText,e.fillText(s,r+4,o+R/2),r+i+le)}function kt(e,t,n,r,o,a,l){
let s=Math.floor((a-Math.max(r,0))/l);s<2||(e.fillStyle=n,e.fillText(t.length<=s?t:t.slice(0,s-1)+"…",Math.max(r,0),o+
R/2))}function he(e,t){let n=(e.fn??[]).length+1,r={n,graph:e,funcs:t,fn:new Int32Array(n),line:new Int32Array(n),depth:new Int32Array(
n),parent:new Int32Array(n),end:new Int32Array(n),self:new Float64Array(n),total:new Float64Array(n),x:new Float64Array(
n)};r.fn[0]=-1,r.parent[0]=-1;for(let o=1;o<n;o++){r.fn[o]=e.fn[o-1],r.line[o]=e.line[o-1];let a=o-1;for(let l=e.up[o-1];l>
0;l--)a=r.parent[a];r.parent[o]=a,r.depth[o]=r.depth[a]+1}return Te(r),r}function Te(e){for(let t=e.n-1;t>=0;t--)e.end[t]=
Math.max(e.end[t],t+1),t>0&&(e.end[e.parent[t]]=Math.max(e.end[e.parent[t]],e.end[t]))}function Se(e,t){let{self:n,total:r,
x:o,parent:a,n:l}=e;n.set(e.graph.self[t]),r.set(e.graph.self[t]);for(let[i,f]of e.graph.cut[t])r[i]+=f;for(let i=l-1;i>
0;i--)r[a[i]]+=r[i];let s=new Float64Array(l);for(let i=1;i<l;i++){let f=a[i];o[i]=o[f]+s[f],s[f]+=r[i]}e.type=e.graph.types[t],
e.whole=e.graph.wholes?.[t],e.graph.diff&&!e.change&&Ue(e)}function Ge(e,t){let n=0,r=0,o=0;for(let a=1;a<e.n;a++)t(e.fn[a])&&
(e.total[a]>0&&n++,a>=o&&(r+=e.total[a],o=e.end[a]));return{frames:n,sum:r}}function Ve(e,t){let n=t.length-1,r=-1;for(let o=1;o<
e.n;o++){if(e.fn[o]!==t[n]||r>=0&&e.total[o]<=e.total[r])continue;let a=n;for(let l=e.parent[o];a>0&&l>0&&e.fn[l]===t[a-
1];l=e.parent[l])a--;a===0&&(r=o)}return r}function ie(e,t,n){let r=e.parent[t];if(r<0)return t;let o=t,a=!1;for(let l=r+
1;l<e.end[r];l=e.end[l])if(e.total[l]!==0){if(n>0&&a)return l;if(l===t){if(n<0)return o;a=!0}o=l}return t}function de(e,t){
let n=t;for(let r=t+1;r<e.end[t];r=e.end[r])e.total[r]>0&&(n===t||e.total[r]>e.total[n])&&(n=r);return n}var $e=[[1099511627776," TiB",1],[1073741824," GiB",1],[1048576," MiB",1],[1024," KiB",1],[1," B",0]],Ft=[[86400," days",
2],[3600," h",2],[60," min",10],[1," s",1],[.001," ms",1],[1e-6," µs",1],[1e-9," ns",0]],vt=[[1e12," T",1],[1e9," G",1],
[1e6," M",1],[1e3," k",0]];function Xe(e){return Number(e.toPrecision(3))}function _e(e){return e.replace(/\.?0+(e|$)/,"\
$1")}function Y(e){if(e<0)return"−"+Y(-e);if(e===0)return"0";if(e<5e-7)return"<0.000001";if(e>=1e15)return _e(e.toExponential(
2));if(e>=99.95)return e.toFixed(0).replace(/\B(?=(\d{3})+$)/g,",");let t=2-Math.floor(Math.log10(Xe(e))+1e-9),n=e.toFixed(
Math.min(t,6));return n.includes(".")?_e(n):n}function Rt(e){return Math.abs(e)<1?Number(e.toPrecision(2)):Math.round(10*
e)/10}function ce(e,t){if(e<0)return"−"+ce(-e,t);for(let[n,r,o]of t)if(e>0?Xe(e/n)>=o:n===1)return Y(e/n)+r;return Y(e)}
function ge(e){return e<0?"−"+ge(-e):Math.round(e)<1e4?Y(e):ce(e,vt)}function Dt(e,t){switch(t){case"bytes":return ce(
e,$e);case"bytes/s":return ce(e,$e)+"/s";case"seconds":return ce(e,Ft);case"share":return Y(Rt(100*e))+" %";case"cores":
return Y(e)==="1"?"1 core":Y(e)+" cores";case"1/s":return ge(e)+"/s";case"count":case"":return ge(e)}return ge(e)+" "+t}
function K(e,t){return e==null||!Number.isFinite(e)?"–":Dt(e,t).replaceAll(" "," ")}function ue(e){return K(e,"count")}
function U(e){return K(e,"share")}function ne({tree:e},t,n){return e.fn[n]<0?"all":t.funcs[e.fn[n]][0]}function Ht({tree:e},t,n){let r=e.fn[n]<0?-1:t.funcs[e.
fn[n]][1];return r<0?"":t.files[r]+(e.line[n]?":"+e.line[n]:"")}function J({tree:e},t){return K(t*e.type.scale,e.type.unit)}
function q({tree:e},t){let n=e.whole??e.total[0];return U(n?t/n:0)}function Me(e,t,n){let[r,o]=e.links?.[e.funcs[t]?.[1]]??
[-1,""];return r<0?"":e.folders[r]+o.replace("{}",String(Math.max(n,1)))}function Le(e,t){let n=document.createElement("\
a");return n.href=e,n.rel="noopener noreferrer",n.textContent=t,n}var Ae={user:"your code",dependency:"a dependency",std:"\
the standard library",runtime:"the runtime",label:"the value of a label"};function Ye(e,t,n){let r=e.tree.fn[n];return r<
0?"":[Ae[j[t.funcs[r][2]]],Ht(e,t,n)].filter(Boolean).join(" · ")}function Ce(e,t,n){let r=e.tree,o=r.change?[ne(e,t,n),
Ye(e,t,n),...Fe(r,n)]:[ne(e,t,n),Ye(e,t,n),J(e,r.total[n])+" total, "+q(e,r.total[n])+" · "+J(e,r.self[n])+" self, "+q(
e,r.self[n])],a=r.parent[n];a>0&&r.total[a]>0&&o.push(U(r.total[n]/r.total[a])+" of "+X(t,r.fn[a]));let l=(t.marks??[]).
filter(s=>s.fn===r.fn[n]);return{lines:o,findings:[...new Set(l.map(s=>s.id+": "+t.findings[s.finding]))]}}function ke(e,t,n=0,r=0){
if(e.hidden=!t,!t)return;let{lines:o,findings:a}=t;e.replaceChildren(...[...o,...a].map((s,i)=>{let f=document.createElement(
"div");return f.textContent=s,i>=o.length&&(f.className="finding-line"),f}));let l=e.getBoundingClientRect();e.style.left=
Math.max(8,Math.min(n+14,innerWidth-l.width-8))+"px",e.style.top=(r+18+l.height>innerHeight?Math.max(8,r-l.height-12):r+
18)+"px"}function Qe(e,t){let n=e.tree,r=[],{match:o}=e;if(o){let a=Ge(n,l=>o.has(l));r.push(a.frames?["Found ",q(e,a.sum),
" ("+J(e,a.sum)+") in "+ue(a.frames)+" frames"]:["Found ","nothing",""])}if(e.selected>=0){let a=Ce(e,t,e.selected);r.push(
["",a.lines[0]," "+[...a.lines.slice(1,n.change?4:3),...a.findings].filter(Boolean).join(" · "),Me(t,n.fn[e.selected],n.
line[e.selected])])}else if(!e.match){let a=e.zoom?" in "+ne(e,t,e.zoom):"";n.change?r.push(["",ne(e,t,e.zoom),": "+Fe(n,
e.zoom).join(" · ")]):r.push(["",J(e,n.total[e.zoom]),(n.whole?" ("+q(e,n.total[e.zoom])+")":"")+" of "+n.type.name+a+"\
, "+ue(n.n-1)+" frames"])}return r.map(([a,l,s,i])=>{let f=document.createElement("span"),g=document.createElement("b");
return g.textContent=l,f.append(a,g,s),i&&f.append(" · ",Le(i,"source")),f})}function Je(e,t){let n=document.createElement(
"button");return n.type="button",n.setAttribute("role","tab"),n.textContent=e,n.addEventListener("click",t),n}function Q(e,t){
let n=document.createElement("span"),r=document.createElement("span");return r.className="key "+e,n.append(r,t),n}function Ze(e,t){
let n=e.tree;if(n.change)return tt();let r={user:"your code",dependency:"dependencies",std:"standard library",runtime:"r\
untime"},o=new Float64Array(j.length);for(let l=1;l<n.n;l++){let s=l;for(;_(t,n.fn[s])&&n.parent[s]>0;)s=n.parent[s];_(t,
n.fn[s])||(o[t.funcs[n.fn[s]][2]]+=n.self[l])}let a=j.flatMap((l,s)=>o[s]>0?[Q(l,r[l]+" "+q(e,o[s]))]:[]);return n.fn.some(
l=>_(t,l))&&a.push(Q("label","value of a label")),n.fn.some(l=>e.marks.has(l))&&a.push(Q("mark","frame of a finding")),a}
function et(e,t,n){let r=new Set(e.tree.fn),o=new Map;for(let a of t.marks??[]){if(!r.has(a.fn))continue;let l=o.get(a.finding)??
{id:a.id,fns:new Set};l.fns.add(a.fn),o.set(a.finding,l)}return[...o].sort(([a],[l])=>a-l).map(([a,{id:l,fns:s}])=>{let i=document.
createElement("div"),f=document.createElement("a");return i.setAttribute("role","group"),i.setAttribute("aria-label",l+"\
: "+t.findings[a]),f.href=(t.page??"")+"#finding-"+a,f.title=t.findings[a],f.textContent=l,i.append(f,...[...s].map(g=>{
let u=document.createElement("button");return u.type="button",u.title=t.funcs[g][0],u.textContent=Ee(t.funcs[g][0]),u.addEventListener(
"click",()=>n(g)),u})),i})}var It=[0,.01,.05];function Ue(e){let t=n=>{let r=Float64Array.from(e.graph.self[n]);for(let[o,a]of e.graph.cut[n])r[o]+=
a;for(let o=e.n-1;o>0;o--)r[e.parent[o]]+=r[o];return r};e.sides=[t(0),t(1)],e.wholes=e.graph.wholes??[e.sides[0][0],e.sides[1][0]],
ve(e)}function ve(e){e.change=new Float64Array(e.n);let[t,n]=[e.sides,e.wholes],{diff:r,types:o}=e.graph,a=n[1]*o[1].scale;
for(let l=0;l<e.n;l++){let s=t[0][l]*o[0].scale-t[1][l]*o[1].scale,i=0;for(let f of[0,1])i+=r.sample[f]*t[f][l]*(1-t[f][l]/
n[f])*o[f].scale**2;Math.abs(s)>Math.max(2*Math.sqrt(Math.max(i,0)),r.noise*a)&&(e.change[l]=s/a)}}function qe(e){let t=0;
for(let n of It)Math.abs(e)>n&&t++;return Math.sign(e)*t}function Ot(e){return(e>0?"+":"−")+U(Math.abs(e))}function We(e){
return e===0?"":(e>0?"▲":"▼")+U(Math.abs(e)).replace(" ","")+" "}function Fe(e,t){let{types:n}=e.graph,r=e.sides[1][t]*
n[1].scale,o=e.sides[0][t]*n[0].scale,a=n[0].unit,l=o-r,s=e.wholes[1]*n[1].scale;return[K(r,a)+" "+n[1].name+", "+K(o,a)+
" "+n[0].name,e.change[t]===0?"no change beyond sampling error and noise":(l>0?"+":"")+K(l,a)+", "+Ot(l/s)+" of total "+
n[1].name]}function tt(){let e=["below 1 %","1 to 5 %","above 5 %"];return[...e.map((t,n)=>Q("more"+(n+1),"▲ more, "+t)),
...e.map((t,n)=>Q("less"+(n+1),"▼ less, "+t)),Q("none","no change beyond sampling error and noise")]}function be(e,t){return e.sides?e.sides.some(n=>n[t]>0):e.total[t]>0}function Bt(e){let t=new Set;for(let n=1;n<e.n;n++)
e.parent[n]>0&&be(e,n)&&t.add(e.fn[e.parent[n]]);return t}function rt(e){let{types:t}=e.graph,n=s=>{let{self:i,total:f}=re(
e.sides?{...e,self:e.graph.self[s],total:e.sides[s]}:e),g=e.sides?t[s].scale:e.type.scale;return{flat:i.map(u=>u*g),cum:f.
map(u=>u*g)}},r=Bt(e),o=n(0),a=e.sides?n(1):null,l=[];return o.cum.forEach((s,i)=>{let f={fn:i,path:[i],calls:r.has(i),flat:o.
flat[i],cum:s};a&&Object.assign(f,{flatChange:f.flat-a.flat[i],cumChange:s-a.cum[i]}),(s>0||a&&a.cum[i]>0)&&l.push(f)}),
l}function nt(e,t){let n=[];for(let r=t+1;r<e.end[t];r=e.end[r])be(e,r)&&n.push(r);return n}function ot(e,t){let n=t.tree??
fe(e,t.fn),{types:r}=n.graph;return nt(n,t.node??0).map(o=>{let a=i=>({flat:n.selves[i][o]*r[i].scale,cum:n.sides[i][o]*
r[i].scale}),l=n.sides?a(0):{flat:n.self[o]*n.type.scale,cum:n.total[o]*n.type.scale};if(n.sides){let i=a(1);Object.assign(
l,{flatChange:l.flat-i.flat,cumChange:l.cum-i.cum})}let s=n.fn[o];return{...l,fn:s,path:[...t.path,s],tree:n,node:o,calls:nt(
n,o).length>0}})}function Re(e,t){let n=t==="flat"?"cum":"flat",r=(o,a)=>Math.abs(o[`${a}Change`]??o[a]);return e.sort((o,a)=>r(
a,t)-r(o,t)||r(a,n)-r(o,n)||o.fn-a.fn)}function Nt(e,t){return e===0?"0":(e>0?"+":"")+K(e,t)}function st(e){let{unit:t}=e.
sides?e.graph.types[0]:e.type,n=(e.whole??e.total[0])*e.type.scale;return["flat","cum"].flatMap(r=>[[r,r==="flat"?"Flat":
"Cum",o=>K(o[r],t)],e.sides?["","change",o=>Nt(o[`${r}Change`],t)]:["","share",o=>U(n?o[r]/n:0)]])}function ye(e,t){let n=[];for(let r=1;r<e.n;){if(e.fn[r]!==t){r++;continue}be(e,r)&&n.push(r),r=e.end[r]}return n}function at(e,t){
let n=e.sides??[],r={parent:[-1],fn:[t],self:[0],total:[0],line:[0],most:[0],sides:n.map(()=>[0]),selves:n.map(()=>[0])},
o=new Map,a=e.funcs;function l(i,f){let g=i*a+f,u=o.get(g);if(u===void 0){u=r.fn.length,o.set(g,u),r.parent.push(i),r.fn.
push(f),r.self.push(0),r.total.push(0),r.line.push(0),r.most.push(0);for(let w of[...r.sides,...r.selves])w.push(0)}return u}
function s(i,f,g=f){r.total[i]+=e.total[f],e.total[g]>r.most[i]&&(r.most[i]=e.total[g],r.line[i]=e.line[g]),r.sides.forEach(
(u,w)=>{u[i]+=n[w][f]})}return{nodes:r,step:l,add:s}}function fe(e,t){let{nodes:n,step:r,add:o}=at(e,t),a=[0];for(let l of ye(
e,t))for(let s=l;s<e.end[l];s++){let i=e.depth[s]-e.depth[l];i>0&&(a[i]=r(a[i-1],e.fn[s])),o(a[i],s),n.self[a[i]]+=e.self[s],
n.selves.forEach((f,g)=>{f[a[i]]+=e.graph.self[g][s]})}return it(e,n)}function lt(e,t){let{nodes:n,step:r,add:o}=at(e,t);
for(let a of ye(e,t)){let l=0;o(0,a);for(let s=e.parent[a];s>0;s=e.parent[s])l=r(l,e.fn[s]),o(l,a,s)}return it(e,n)}function it(e,t){
let n=t.fn.length,r=Array.from({length:n},()=>[]);for(let s=1;s<n;s++)r[t.parent[s]].push(s);let o={n,graph:e.graph,type:e.
type,whole:e.whole??e.total[0],funcs:e.funcs,fn:new Int32Array(n),line:new Int32Array(n),depth:new Int32Array(n),parent:new Int32Array(
n),end:new Int32Array(n),self:new Float64Array(n),total:new Float64Array(n),x:new Float64Array(n)};e.sides&&(o.sides=e.sides.
map(()=>new Float64Array(n)),o.selves=e.sides.map(()=>new Float64Array(n)),o.wholes=e.wholes);let a=[[0,-1,0,0]],l=0;for(;a.
length;){let[s,i,f,g]=a.pop(),u=l++;o.fn[u]=t.fn[s],o.parent[u]=i,o.depth[u]=f,o.x[u]=g,o.self[u]=t.self[s],o.total[u]=t.
total[s],o.line[u]=t.line[s],o.sides?.forEach((S,y)=>{S[u]=t.sides[y][s]}),o.selves?.forEach((S,y)=>{S[u]=t.selves[y][s]});
let w=r[s].sort((S,y)=>t.total[y]-t.total[S]||t.fn[S]-t.fn[y]),E=g;for(let S of w)E+=t.total[S];for(let S of w.reverse())
E-=t.total[S],a.push([S,u,f+1,E])}return Te(o),o.sides&&ve(o),o}function re(e){let t=new Float64Array(e.funcs),n=new Float64Array(
e.funcs),r=new Int32Array(e.funcs),o=[];for(let a=1;a<e.n;a++){for(;o.length>=e.depth[a];)r[o.pop()]--;let l=e.fn[a];t[l]+=
e.self[a],r[l]===0&&(n[l]+=e.total[a]),r[l]++,o.push(l)}return{self:t,total:n}}function De(e,t=e.keys()){let n=-1;for(let r of t)
e[r]>(n<0?0:e[n])&&(n=r);return n}function ct(e,t){let n=t.toLowerCase().split("|").map(l=>l.trim()).filter(Boolean);if(!n.length)return null;let r=l=>n.some(
s=>l.includes(s)),o=(e.files??[]).map(l=>r(l.toLowerCase())),a=new Set;return e.funcs.forEach(([l,s],i)=>{(r(l.toLowerCase())||
o[s])&&a.add(i)}),a}function Pt(e,t){let n=new Uint8Array(e.n);for(let r=1;r<e.n;r++)n[r]=n[e.parent[r]]||t.has(e.fn[r])?
1:0;return n}function ut(e,{focus:t,ignore:n,from:r}){let[o,a,l]=[t,n,r].map(g=>g&&Pt(e,g)),s=g=>(!o||o[g])&&!(a&&a[g])&&
(!l||l[g]),i=(g,u)=>g.reduce((w,E)=>w+E,0)+e.graph.cut[u].reduce((w,[,E])=>w+E,0),f={...e.graph,wholes:e.graph.self.map(
i),lines:{fn:[],line:[],self:[],total:[]},self:e.graph.self.map(g=>g.map((u,w)=>s(w)?u:0)),cut:e.graph.cut.map(g=>g.filter(
([u])=>s(u)))};return he(l?zt(e,f,l):f,e.funcs)}function zt(e,t,n){let r=[{depth:0,children:new Map}],o=new Int32Array(e.
n);for(let s=1;s<e.n;s++){if(!n[s])continue;let i=r[o[e.parent[s]]];i.children.has(e.fn[s])||(i.children.set(e.fn[s],r.length),
r.push({fn:e.fn[s],line:e.line[s],depth:i.depth+1,children:new Map})),o[s]=i.children.get(e.fn[s])}let a=s=>{let i=new Array(
r.length).fill(0);return s.forEach((f,g)=>{i[o[g]]+=f}),i},l=t.cut.map(s=>s.map(([i,f])=>[o[i],f]));return Kt({...t,self:t.
self.map(a),cut:l},r)}function Kt(e,t){let n=[...e.self[e.default]];for(let[s,i]of e.cut[e.default])n[s]+=i;for(let s=t.
length-1;s>=0;s--)for(let i of t[s].children.values())n[s]+=n[i];let r=[],o=[0];for(;o.length;){let s=o.pop();r.push(s);
for(let i of[...t[s].children.values()].sort((f,g)=>n[f]-n[g]))o.push(i)}let a=new Int32Array(t.length);r.forEach((s,i)=>{
a[s]=i});let l=r.slice(1);return{...e,fn:l.map(s=>t[s].fn),line:l.map(s=>t[s].line),up:l.map((s,i)=>t[r[i]].depth+1-t[s].
depth),self:e.self.map(s=>r.map(i=>s[i])),cut:e.cut.map(s=>s.map(([i,f])=>[a[i],f]))}}function He(e,t){if(e.hashes)return e.
hashes;let n=Ie(t);e.hashes=new Uint32Array(e.n);for(let r=1;r<e.n;r++)e.hashes[r]=Oe(e.hashes[e.parent[r]],n[e.fn[r]],e.
depth[r]);return e.hashes}function Ie(e){return e.hashes??=e.funcs.map(([t])=>{let n=2166136261;for(let r=0;r<t.length;r++)
n=Math.imul(n^t.charCodeAt(r),16777619);return n}),e.hashes}function Oe(e,t,n){return Math.imul(e^e>>>15^t,739982445)+n}
function Be(e,t,n){return n?Math.max(He(e,t).indexOf(n),0):0}function jt(e,t,n){let r=e.graph.lines,o=[];if(r.fn?.forEach((s,i)=>{s===n&&o.push({line:r.line[i],self:r.self[t][i],total:r.
total[t][i]})}),o.length)return{rows:o,exact:!0};let a=new Map,l=s=>(a.has(s)||a.set(s,{line:s,self:0,total:0}),a.get(s));
for(let s of ye(e,n))l(e.line[s]).total+=e.total[s];for(let s=1;s<e.n;s++)e.fn[s]===n&&(l(e.line[s]).self+=e.self[s]);return{
rows:[...a.values()].sort((s,i)=>s.line-i.line),exact:!1}}function O(e,t,n){let r=document.createElement(e);return r.append(
t),n&&(r.className=n),r}function qt(e){let t="http://www.w3.org/2000/svg",n=document.createElementNS(t,"svg");n.setAttribute(
"class","share"),n.setAttribute("viewBox","0 0 100 6"),n.setAttribute("preserveAspectRatio","none"),n.setAttribute("aria\
-hidden","true");for(let[r,o]of[["track",100],["fill",Math.min(100*e,100)]]){let a=document.createElementNS(t,"rect");a.
setAttribute("class",r),a.setAttribute("width",String(o)),a.setAttribute("height","6"),n.append(a)}return n}function ft(e,t,n,r){
let o=e.tree,{rows:a,exact:l}=jt(o,n,r),s=document.createElement("table"),i=document.createElement("tr");for(let[w,E]of[
["Line","num"],["Self","num"],["Share","num"],["With callees","num"],["Share","num"],["",""]]){let S=O(w?"th":"td",w,E);
w&&(S.scope="col"),i.append(S)}let f=document.createElement("tbody"),g=o.whole??o.total[0];for(let w of a){let E=document.
createElement("tr"),S=Me(t,r,w.line),y=O("th",S?Le(S,String(w.line)):w.line?String(w.line):"–","num");y.scope="row",E.
append(y,O("td",J(e,w.self),"num"),O("td",q(e,w.self),"num"),O("td",J(e,w.total),"num"),O("td",q(e,w.total),"num"),O("td",
qt(g?w.total/g:0),"barcell")),f.append(E)}if(s.append(O("thead",i),f),l)return[s];let u=O("p","The page has every line o\
nly for the heaviest functions. In this function, each frame counts at its heaviest line.","note");return[s,u]}var me=(()=>{let e={width:0,height:0,top:0,match:null,marks:new Map},t=[],n=[],r=[],o,a,l,s,i,f,g,u=0,w=0,E="graph",S=-1,
y=[],T=0,H=null,F=()=>{};function C(c){return a.querySelector(c)}function z(c,m={}){return{tree:c,zoom:0,base:0,dir:1,from:0,
hover:-1,selected:-1,...m}}function G(c=T){return{...e,...y[c]}}function v(){performance.clearMeasures("flame");let c=performance.
now();if(e.width=l.clientWidth,!e.width)return;let m=Ke(y,e.width)*R,d=parseFloat(getComputedStyle(l).maxHeight)||m;e.height=
Math.min(m,d),C(".spacer").style.height=m-e.height+"px",e.top=Math.min(l.scrollTop,m-e.height);let b=devicePixelRatio||1,
[A,ae]=[Math.round(e.width*b),Math.round(e.height*b)];(s.width!==A||s.height!==ae)&&(s.width=A,s.height=ae,s.style.width=
e.width+"px",s.style.height=e.height+"px"),i.setTransform(b,0,0,b,0,0),i.clearRect(0,0,e.width,e.height),y.forEach((_t,St)=>je(
i,G(St),o)),performance.measure("flame",{start:c,end:performance.now()})}function N(){g.replaceChildren(...Qe(G(),o)),E===
"lines"&&S>=0&&C(".lines").replaceChildren(...ft(M(),o,w,S))}function P(c){y[0].zoom=c,v(),N(),F(!0)}function B(c,m){for(let A of y)
A.selected=-1;T=c;let d=y[c];d.selected=m;let b=d.base+d.dir*d.tree.depth[m]*R;(b<l.scrollTop||b+R>l.scrollTop+e.height)&&
(l.scrollTop=b-e.height/2),v(),N(),F(!1)}function oe(c){e.match=ct(o,c),E!=="graph"&&x(),v(),N(),F(!1)}function Z(){for(let c of y)
c.selected=-1;y[0].zoom=0,T=0,C("input").value="",l.scrollTop=0,F(!0),oe("")}function se(c){w=c;let m=t[u];if(Se(m,c),E===
"graph"){let d=y[0];for(;d.zoom>0&&m.total[d.zoom]===0;)d.zoom=m.parent[d.zoom]}else p(S);C(".types select").value=String(
c),C(".legend").replaceChildren(...Ze({...e,tree:m},o)),v(),N(),F(!0)}function V(c){u=c;let m=o.graphs[c];n[c]??=he(m,o.
funcs.length),t[c]??=H?ut(n[c],H):n[c],r.length=0,y=[z(t[c])],T=0,l.scrollTop=0,a.querySelectorAll(".tabs button").forEach(
(b,A)=>{b.setAttribute("aria-selected",String(A===c)),b.tabIndex=A===c?0:-1}),C(".types select").replaceChildren(...m.types.
map((b,A)=>new Option(b.name,String(A),!1,A===m.default))),C(".types").hidden=m.types.length<2,C(".marks").replaceChildren(
...et(G(),o,L)),Se(t[c],m.default),E!=="graph"&&(S=pe()),se(m.default)}function pe(){let{self:c,total:m}=re(t[u]);return S>=
0&&m[S]>0?S:Math.max(De(c),0)}function $(c){let m=y[T];m.selected>=0&&m.tree.fn[m.selected]>=0&&(S=m.tree.fn[m.selected]),
E=c,r.length=0;for(let d of a.querySelectorAll(".modes button"))d.setAttribute("aria-pressed",String(d.dataset.mode===E));
a.dataset.mode=E,C(".function").hidden=E==="graph",C(".lines").hidden=E!=="lines",l.hidden=E==="lines",C(".legend").hidden=
E==="lines",l.scrollTop=0,E==="graph"?(y=[z(t[u])],T=0):p(pe()),v(),N(),F(!0)}function p(c){S=c;let m=t[u];T=0,y=E==="sa\
ndwich"?[z(fe(m,c),{selected:0}),z(lt(m,c),{dir:-1,from:1})]:[z(fe(m,c),{selected:0})],x(),E==="sandwich"&&(e.width=l.clientWidth,
v(),l.scrollTop=Math.max(0,y[0].base-e.height/2))}function h(c){c<0||c===S||(r.push(S),p(c),v(),N(),F(!0))}function x(){
let{self:c,total:m}=re(t[u]),d=[...m.keys()].filter(A=>m[A]>0&&(!e.match||e.match.has(A))).sort((A,ae)=>m[ae]-m[A]||c[ae]-
c[A]).slice(0,300);d.includes(S)||d.unshift(S);let b=A=>q(M(),m[A])+"  "+X(o,A);C(".function select").replaceChildren(...d.
map(A=>new Option(b(A),String(A),!1,A===S)))}function M(){return{...e,tree:t[u]}}function L(...c){if(E!=="graph"){h(c.at(
-1));return}let m=t[u],d=Ve(m,c);if(d<0)return;let b=d;for(;b>0&&m.total[d]/m.total[b]>.12;)b=m.parent[b];y[0].zoom=b,v(),
F(!0),B(0,d)}function k(){let{tree:c,zoom:m,selected:d}=y[0],b=d<0?m:d;return{ArrowDown:()=>B(0,d<0?m:de(c,b)),ArrowUp:()=>{
c.parent[b]<0||(b===m&&P(c.parent[b]),B(0,c.parent[b]))},ArrowLeft:()=>{b!==m&&B(0,ie(c,b,-1))},ArrowRight:()=>{b!==m&&B(
0,ie(c,b,1))},Enter:()=>P(b),Escape:()=>{m>0?P(c.parent[m]):Z()},Home:Z}}function D(){let{tree:c,selected:m}=y[T],d=Math.
max(m,0),b=()=>B(T,de(c,d)),A=()=>B(c.parent[d]>0?T:0,Math.max(c.parent[d],0));return{ArrowDown:T===0?b:A,ArrowUp:()=>{T===
1?b():d>0?A():y[1].tree.n>1&&B(1,de(y[1].tree,0))},ArrowLeft:()=>B(T,ie(c,d,-1)),ArrowRight:()=>B(T,ie(c,d,1)),Enter:()=>h(
c.fn[d]),Escape:()=>ee(),Home:()=>B(0,0)}}function ee(){r.length?(p(r.pop()),v(),N(),F(!0)):$("graph")}function te(c){let m=E===
"graph"?k():D();!m[c.key]||c.ctrlKey||c.metaKey||c.altKey||(c.preventDefault(),m[c.key]())}function pt(){s.addEventListener(
"pointermove",c=>{let[m,d]=xe(y,e,c.offsetX,c.offsetY);y.some((b,A)=>b.hover!==(A===m?d:-1))&&(y.forEach((b,A)=>{b.hover=
A===m?d:-1}),v()),c.pointerType==="mouse"&&ke(f,d<0?null:Ce(G(m),o,d),c.clientX,c.clientY)}),s.addEventListener("pointer\
leave",()=>{for(let c of y)c.hover=-1;ke(f,null),v()}),s.addEventListener("click",c=>{let[m,d]=xe(y,e,c.offsetX,c.offsetY);
if(!(d<0)){if(E==="sandwich"){h(y[m].tree.fn[d]);return}y[0].selected=d,P(d)}})}function ht(){let c=C(".tabs");c.replaceChildren(
...o.graphs.map((m,d)=>Je(m.title,()=>V(d)))),c.addEventListener("keydown",m=>{let d={ArrowRight:1,ArrowLeft:-1}[m.key];
d&&(V((u+d+o.graphs.length)%o.graphs.length),c.children[u].focus())})}function dt(c,m){if(a=document.getElementById("fla\
me"),!(!a||!c.graphs?.length)){o=c,l=C(".stage"),s=l.querySelector("canvas"),i=s.getContext("2d"),f=C(".tip"),g=C(".stat\
us");for(let d of o.marks??[]){let b=e.marks.get(d.fn)??[];e.marks.set(d.fn,b.includes(d.id)?b:[...b,d.id])}ht(),pt(),l.
addEventListener("keydown",te),l.addEventListener("scroll",v);for(let d of a.querySelectorAll(".modes button"))d.addEventListener(
"click",()=>$(d.dataset.mode));C(".types select").addEventListener("change",d=>se(Number(d.target.value))),C(".function \
select").addEventListener("change",d=>h(Number(d.target.value))),C("input").addEventListener("input",d=>oe(d.target.value)),
C("input").addEventListener("keydown",gt),C(".reset").addEventListener("click",Z),V(o.marks?.[0]?.graph??0),m&&(F=m),new ResizeObserver(
v).observe(a),I.onChange(v)}}function gt(c){if(c.key!=="Enter"||!e.match?.size)return;let{total:m}=re(t[u]),d=De(m,e.match);
d>=0&&L(d)}function bt(c){let m=o.marks[c];E!=="graph"&&$("graph"),u!==m.graph&&V(m.graph),L(m.fn),a.scrollIntoView({block:"\
start"}),l.focus({preventScroll:!0})}function yt(c){u!==c&&V(c),l.focus({preventScroll:!0})}function wt(){let{zoom:c,selected:m}=y[0],
d=b=>E==="graph"&&b>0?He(t[u],o)[b]:0;return{graph:u,type:o.graphs[u].types[w].name,view:E,zoom:d(c),at:d(m),fn:E==="gra\
ph"?"":o.funcs[S]?.[0]??"",find:C("input").value}}function Et(c){let m=F;F=()=>{},H=c.filter,t.length=0,V(Math.min(c.graph,
o.graphs.length-1)),E!=="graph"&&$("graph");let d=o.graphs[u].types.findIndex(b=>b.name===c.type);if(d>=0&&d!==w&&se(d),
C("input").value=c.find,oe(c.find),c.view==="sandwich"||c.view==="lines")S=o.funcs.findIndex(([b])=>b===c.fn),$(c.view);else{
y[0].zoom=Be(t[u],o,c.zoom),v();let b=Be(t[u],o,c.at);b>0?B(0,b):N()}F=m}function xt(){return{tree:t[u],column:w,match:e.
match}}function Tt(){let c=y[T];return c.selected>0||E!=="graph"&&c.selected===0?ne(G(),o,c.selected):""}return{start:dt,
showMark:bt,showGraph:yt,reset:Z,state:wt,restore:Et,shownFunctions:xt,selectedName:Tt,jump:L,keys:te}})();var Wt=50;function Gt(e,t,n,{shown:r,show:o,changed:a}){let l=new Set,s=new WeakMap,i="flat",f=30,g=[],u,w;function E(){
let p=r(),h=[p.tree,p.column,p.match,i,f];if(h.every((k,D)=>k===g[D]))return;g=h,u=p.tree,w=st(u);let x=s.get(N(document.
activeElement))?.key,M=Re(rt(u).filter(k=>!p.match||p.match.has(k.fn)),i);e.replaceChildren(...M.length?S(M):[O("p","No \
function matches.","empty")]);let L=v();L.length&&(L[0].tabIndex=0),x!==void 0&&P(L.find(k=>s.get(k).key===x)??L[0])}function S(p){
let h=W("table","treegrid","cards functions");h.setAttribute("aria-label","Functions"),h.setAttribute("aria-describedby",
"functions-how");let x=W("thead","rowgroup");x.append(y());let M=W("tbody","rowgroup");if(M.append(...p.slice(0,f).flatMap(
(k,D)=>T(k,D,p.length))),h.append(x,M),p.length<=f)return[h];let L=O("button","Show more: "+ue(p.length-f)+" functions a\
re left","quiet more");return L.type="button",L.addEventListener("click",()=>{let k=f;f+=200,a(!1),P(v().filter(D=>D.ariaLevel===
"1")[k])}),[h,L]}function y(){let p=W("tr","row"),h=W("th","columnheader");return h.scope="col",h.append("Function"),p.append(
h,...w.map(([x,M])=>{let L=W("th","columnheader","num");if(L.scope="col",!x)return L.append(M),L;let k=O("button",M+(x===
i?" ▾":""),"link");return k.type="button",k.dataset.sort=x,k.addEventListener("click",()=>{i=x,a(!0),e.querySelector("\
[data-sort="+x+"]")?.focus()}),x===i&&L.setAttribute("aria-sort","descending"),L.append(k),L})),p}function T(p,h,x){p.key=
Vt(n,p.path);let M=W("tr","row");return s.set(M,p),M.tabIndex=-1,M.setAttribute("aria-level",String(p.path.length)),M.setAttribute(
"aria-posinset",String(h+1)),M.setAttribute("aria-setsize",String(x)),p.calls&&M.setAttribute("aria-expanded",String(l.has(
p.key))),M.append(F(M,p),...w.map(([L,k,D],ee)=>{let te=W("td","gridcell","num");return te.append(D(p)),te.dataset.label=
L?k.toLowerCase():w[ee-1][1].toLowerCase()+" "+k,te})),p.calls&&l.has(p.key)?[M,...H(p)]:[M]}function H(p){let h=Re(ot(u,
p),i);return h.flatMap((x,M)=>T(x,M,h.length))}function F(p,h){let x=W("th","rowheader");x.scope="row";let M=O("span",h.
calls?l.has(h.key)?"▾":"▸":"","twist");M.setAttribute("aria-hidden","true"),M.addEventListener("click",()=>{h.calls&&
B(p)});let L=O("button",n.funcs[h.fn][0],"link symbol");L.type="button",L.tabIndex=-1,L.addEventListener("click",()=>o(h.
path));let k=O("div",L);k.append(O("span",[...C(h.fn),...z(h.fn)].join(" · "),"sub"));let D=O("div",M,"tree");return D.
style.setProperty("--above",String(h.path.length-1)),D.append(k),x.append(D),x}function C(p){let[,h,x]=n.funcs[p];return x===
we?[j[x],n.files[h]]:[j[x],...h<0?[]:[n.files[h].split("/").slice(-2).join("/")]]}function z(p){return[...new Set((n.marks??
[]).filter(h=>h.fn===p).map(h=>h.id))]}function G(p,h){let x=w.map(([,,D])=>D(h)),M=h.path.slice(0,-1).map(D=>X(n,D)).reverse(),
L=z(h.fn),k=h.calls?p.ariaExpanded==="true"?"What it calls is open":"Right shows what it calls":"It calls nothing that w\
as counted";return[n.funcs[h.fn][0]+(M.length?", called by "+M.join(", by "):""),[["itself",0],["with what it calls",2]].
map(([D,ee])=>x[ee]+" "+D+", "+x[ee+1]+(u.sides?" against the base":" of all")).join("; "),(_(n,h.fn)?"It is ":"In ")+[Ae[j[n.
funcs[h.fn][2]]],...C(h.fn).slice(1)].join(", "),...L.length?["A place of "+L.join(", ")]:[],k].join(". ")+"."}function v(){
return[...e.querySelectorAll("tbody tr")]}function N(p){return p&&e.contains(p)?p.closest("tbody tr"):null}function P(p){
p?.focus()}function B(p){let h=s.get(p),x=!l.delete(h.key);if(x)l.add(h.key),p.after(...H(h));else for(;Number(p.nextElementSibling?.
ariaLevel)>h.path.length;)p.nextElementSibling.remove();p.setAttribute("aria-expanded",String(x)),p.querySelector(".twis\
t").textContent=x?"▾":"▸",N(document.activeElement)===p?t.textContent=G(p,h):e.querySelector('tbody tr[tabindex="0"]')||
(p.tabIndex=0),a(!1)}function oe(p){let h=p.previousElementSibling;for(;h&&Number(h.ariaLevel)>=Number(p.ariaLevel);)h=h.
previousElementSibling;return h}function Z(p){let h=N(p.target);if(!h||p.ctrlKey||p.metaKey||p.altKey)return;let x=h.ariaExpanded,
M={ArrowDown:()=>P(h.nextElementSibling),ArrowUp:()=>P(h.previousElementSibling),ArrowRight:()=>{x==="true"?P(h.nextElementSibling):
x&&B(h)},ArrowLeft:()=>{x==="true"?B(h):P(oe(h))},Home:()=>P(v()[0]),End:()=>P(v().at(-1)),Enter:()=>o(s.get(h).path)}[p.
key];M&&(p.preventDefault(),p.stopPropagation(),M())}function se(p){let h=N(p.target);if(!h)return;for(let M of e.querySelectorAll(
'tbody tr[tabindex="0"]'))M.tabIndex=-1;h.tabIndex=0;let x=G(h,s.get(h));t.textContent!==x&&(t.textContent=x)}e.addEventListener(
"keydown",Z),e.addEventListener("focusin",se);function V(){return{sort:i,open:[...l].slice(-Wt).map(p=>p.toString(16)).join(
".")}}function pe({sort:p,open:h}){i=p==="cum"?"cum":"flat",l.clear();for(let x of h.split("."))x&&l.add(Number.parseInt(
x,16));g=[]}function $(){let p=s.get(N(document.activeElement));return p?n.funcs[p.fn][0]:""}return{refresh:E,state:V,restore:pe,
focusedName:$}}function W(e,t,n){let r=document.createElement(e);return r.setAttribute("role",t),n&&(r.className=n),r}function Vt(e,t){
let n=Ie(e);return t.reduce((r,o,a)=>Oe(r,n[o],a+1),0)>>>0}function Ut(e){let t=document.querySelector(".stage");me.jump(
...e),t.scrollIntoView({block:"center"}),t.focus({preventScroll:!0})}function mt(e){let t=document.getElementById("funct\
ions");if(!t){me.start(e);return}let n,r=()=>{t.open&&n.refresh()};n=Gt(document.getElementById("function-table"),document.
getElementById("row-said"),e,{shown:me.shownFunctions,show:Ut,changed:r}),me.start(e,r),t.addEventListener("toggle",r)}document.documentElement.classList.add("js");I.start();var $t=JSON.parse(document.getElementById("data").textContent);mt(
$t.flame);Ne();})();

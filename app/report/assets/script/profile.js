// Made of app/report/web/profile.ts by `make web`.
"use strict";(()=>{function Ye(){for(let e of document.querySelectorAll("[data-copy]"))e.addEventListener("click",async()=>{let t=document.
getElementById(e.dataset.copy);try{await navigator.clipboard.writeText(t.textContent),e.textContent="Copied"}catch{getSelection().
selectAllChildren(t),e.textContent="Selected"}})}var I=(()=>{let e=document.documentElement,t=matchMedia("(prefers-color-scheme: dark)"),n=[],r=document.createElement("s\
pan");r.hidden=!0,document.body.append(r);let o="",a=!1,l=()=>!a&&(o?o==="dark":t.matches);function s(){e.style.colorScheme=
a?"light":o;let u=document.getElementById("theme");u.textContent=l()?"Light":"Dark";for(let w of n)w()}function i(){document.
getElementById("theme").addEventListener("click",()=>{o=l()?"light":"dark",s()}),t.addEventListener("change",s),addEventListener(
"beforeprint",()=>{a=!0,s()}),addEventListener("afterprint",()=>{a=!1,s()}),s()}function f(u){return r.style.color="var(\
--"+u+")",getComputedStyle(r).color}function g(u){return getComputedStyle(e).getPropertyValue("--"+u).trim()}return{start:i,
color:f,font:g,onChange:u=>n.push(u)}})();var W=["user","dependency","std","runtime","label"],ke=W.indexOf("label"),ve="↳ ",R=19,Ze=.5,me=4;function Ut(){return{
owner:W.map(e=>I.color("f-"+e)),text:I.color("f-text"),rest:I.color("f-rest"),match:I.color("f-match"),mark:I.color("f-m\
ark"),markText:I.color("f-mark-text"),more:[1,2,3].map(e=>I.color("f-more"+e)),less:[1,2,3].map(e=>I.color("f-less"+e)),
none:I.color("f-none"),ground:I.color("raised"),focus:I.color("text"),muted:I.color("muted")}}function Ce(e){let t=e.search(
/[[(]/);return e.slice(e.lastIndexOf("/",t<0?e.length:t)+1)}function Y(e,t){return t>=0&&e.funcs[t][2]===ke}function J(e,t){
return Y(e,t)?e.funcs[t][0]:Ce(e.funcs[t][0])}function Vt(e,t,n){let r=e.depth[t];for(let o=t;o<e.end[t];){if(e.total[o]*
n<Ze){o=e.end[o];continue}e.depth[o]>r&&(r=e.depth[o]),o++}return r+1}function et(e,t){let n=e.map(({tree:o,zoom:a})=>Vt(
o,a,o.total[a]>0?t/o.total[a]:0));if(e.length===1)return Math.max(n[0],3);let r=n[1]-1;for(let o of e)o.base=r*R;return Math.
max(r+n[0],3)}function Fe(e,t,n,r){let o=Math.floor((r+t.top-e[0].base)/R),a=o<0?1:0,{tree:l,zoom:s}=e[a],i=Math.abs(o);
if(i<l.depth[s]){let g=s;for(;g>=0&&l.depth[g]>i;)g=l.parent[g];return[a,g]}let f=l.x[s]+n/t.width*l.total[s];for(let g=s;g<
l.end[s];){if(f<l.x[g]||f>=l.x[g]+l.total[g]){g=l.end[g];continue}if(l.depth[g]===i)return[a,g];g++}return[a,-1]}function tt(e,t,n){
let{tree:r,zoom:o,width:a,height:l,top:s,base:i,dir:f,from:g}=t,u=Ut(),w=r.total[o]>0?a/r.total[o]:0,E=new Float64Array(
4096).fill(-1);e.font="11.5px "+I.font("mono"),e.textBaseline="middle";let S=e.measureText("m").width,y={ctx:e,c:u,glyph:S,
view:t,data:n,t:r};for(let x=r.parent[o];x>=0;x=r.parent[x])Je(y,x,0,r.depth[x]*R-s,a,!0);for(let x=o;x<r.end[o];){let D=i+
f*r.depth[x]*R-s,C=r.total[x]*w;if((f>0?D>l:D<-R)||C===0){x=r.end[x];continue}if(r.depth[x]<g){x++;continue}let M=(r.x[x]-
r.x[o])*w;if(C<Ze){let K=Math.floor(M);D>-R&&D<l&&E[r.depth[x]]<K&&(e.fillStyle=u.rest,e.fillRect(K,D,1,R-1),E[r.depth[x]]=
K),x=r.end[x];continue}D>-R&&D<l&&Je(y,x,M,D,C,!1),x++}}function _t(e,t,n,r){if(!t.change)return r<0?e.rest:e.owner[r];let o=nt(
t.change[n]);return o>0?e.more[o-1]:o<0?e.less[-o-1]:e.none}function Je({ctx:e,c:t,glyph:n,view:r,data:o,t:a},l,s,i,f,g){
let u=a.fn[l],w=u<0?-1:o.funcs[u][2],E=r.match&&u>=0&&r.match.has(u),S=g||r.match&&!E;e.globalAlpha=S?.4:a.change?1:[1,.86,
.93][u<0?0:u%3],e.fillStyle=E?t.match:_t(t,a,l,w);let y=f>3?1:0;e.fillRect(s,i,f-y,R-1),E&&(e.fillStyle=t.text,e.fillRect(
s,i+R-3,f-y,2)),e.globalAlpha=g?.75:1;let x=s+me,D=u<0?void 0:r.marks.get(u);D&&(x=$t(e,t,D,s,i,f-y,n));let C=a.change?rt(
a.change[l]):"",M=a.line[l]<0?ve:"";Qt(e,C+M+(u<0?"all":J(o,u)),t.text,x,i,s+f-me,n),e.globalAlpha=1,(l===r.selected||l===
r.hover)&&(e.strokeStyle=t.focus,e.lineWidth=l===r.selected?2:1,e.strokeRect(s+1,i+1,Math.max(f-y-2,1),R-3))}function $t(e,t,n,r,o,a,l){
if(e.fillStyle=t.mark,a<5)return e.fillRect(r,o,a,R-1),r+me;e.strokeStyle=t.mark,e.lineWidth=2,e.strokeRect(r+1,o+1,a-2,
R-3);let s=n.join(" "),i=s.length*l+8;return i>a?r+me:(e.fillRect(r,o,i,R-1),e.fillStyle=t.markText,e.fillText(s,r+4,o+R/
2),r+i+me)}function Qt(e,t,n,r,o,a,l){let s=Math.floor((a-Math.max(r,0))/l);s<2||(e.fillStyle=n,e.fillText(t.length<=s?t:
t.slice(0,s-1)+"…",Math.max(r,0),o+R/2))}function Te(e,t){let n=(e.fn??[]).length+1,r={n,graph:e,funcs:t,fn:new Int32Array(n),line:new Int32Array(n),depth:new Int32Array(
n),parent:new Int32Array(n),end:new Int32Array(n),self:new Float64Array(n),total:new Float64Array(n),x:new Float64Array(
n)};r.fn[0]=-1,r.parent[0]=-1;for(let o=1;o<n;o++){r.fn[o]=e.fn[o-1],r.line[o]=e.line[o-1];let a=o-1;for(let l=e.up[o-1];l>
0;l--)a=r.parent[a];r.parent[o]=a,r.depth[o]=r.depth[a]+1}return Re(r),r}function Re(e){for(let t=e.n-1;t>=0;t--)e.end[t]=
Math.max(e.end[t],t+1),t>0&&(e.end[e.parent[t]]=Math.max(e.end[e.parent[t]],e.end[t]))}function He(e,t){let{self:n,total:r,
x:o,parent:a,n:l}=e;n.set(e.graph.self[t]),r.set(e.graph.self[t]);for(let[i,f]of e.graph.cut[t])r[i]+=f;for(let i=l-1;i>
0;i--)r[a[i]]+=r[i];let s=new Float64Array(l);for(let i=1;i<l;i++){let f=a[i];o[i]=o[f]+s[f],s[f]+=r[i]}e.type=e.graph.types[t],
e.whole=e.graph.wholes?.[t],e.graph.diff&&!e.change&&at(e)}function ot(e,t){let n=0,r=0,o=0;for(let a=1;a<e.n;a++)t(e.fn[a])&&
(e.total[a]>0&&n++,a>=o&&(r+=e.total[a],o=e.end[a]));return{frames:n,sum:r}}function st(e,t){let n=t.length-1,r=-1;for(let o=1;o<
e.n;o++){if(e.fn[o]!==t[n]||r>=0&&e.total[o]<=e.total[r])continue;let a=n;for(let l=e.parent[o];a>0&&l>0&&e.fn[l]===t[a-
1];l=e.parent[l])a--;a===0&&(r=o)}return r}function pe(e,t,n){let r=e.parent[t];if(r<0)return t;let o=t,a=!1;for(let l=r+
1;l<e.end[r];l=e.end[l])if(e.total[l]!==0){if(n>0&&a)return l;if(l===t){if(n<0)return o;a=!0}o=l}return t}function xe(e,t){
let n=t;for(let r=t+1;r<e.end[t];r=e.end[r])e.total[r]>0&&(n===t||e.total[r]>e.total[n])&&(n=r);return n}var lt=[[1099511627776," TiB",1],[1073741824," GiB",1],[1048576," MiB",1],[1024," KiB",1],[1," B",0]],Xt=[[86400," days",
2],[3600," h",2],[60," min",10],[1," s",1],[.001," ms",1],[1e-6," µs",1],[1e-9," ns",0]],Yt=[[1e12," T",1],[1e9," G",1],
[1e6," M",1],[1e3," k",0]];function ct(e){return Number(e.toPrecision(3))}function it(e){return e.replace(/\.?0+(e|$)/,"\
$1")}function Z(e){if(e<0)return"−"+Z(-e);if(e===0)return"0";if(e<5e-7)return"<0.000001";if(e>=1e15)return it(e.toExponential(
2));if(e>=99.95)return e.toFixed(0).replace(/\B(?=(\d{3})+$)/g,",");let t=2-Math.floor(Math.log10(ct(e))+1e-9),n=e.toFixed(
Math.min(t,6));return n.includes(".")?it(n):n}function Jt(e){return Math.abs(e)<1?Number(e.toPrecision(2)):Math.round(10*
e)/10}function de(e,t){if(e<0)return"−"+de(-e,t);for(let[n,r,o]of t)if(e>0?ct(e/n)>=o:n===1)return Z(e/n)+r;return Z(e)}
function Se(e){return e<0?"−"+Se(-e):Math.round(e)<1e4?Z(e):de(e,Yt)}function Zt(e,t){switch(t){case"bytes":return de(
e,lt);case"bytes/s":return de(e,lt)+"/s";case"seconds":return de(e,Xt);case"share":return Z(Jt(100*e))+" %";case"cores":
return Z(e)==="1"?"1 core":Z(e)+" cores";case"1/s":return Se(e)+"/s";case"count":case"":return Se(e)}return Se(e)+" "+t}
function j(e,t){return e==null||!Number.isFinite(e)?"–":Zt(e,t).replaceAll(" "," ")}function he(e){return j(e,"count")}
function $(e){return j(e,"share")}function oe({tree:e},t,n){return e.fn[n]<0?"all":t.funcs[e.fn[n]][0]}function en({tree:e},t,n){let r=e.fn[n]<0?-1:t.funcs[e.
fn[n]][1];return r<0?"":t.files[r]+(e.line[n]?":"+Math.abs(e.line[n]):"")}function ee({tree:e},t){return j(t*e.type.scale,
e.type.unit)}function G({tree:e},t){let n=e.whole??e.total[0];return $(n?t/n:0)}function De(e,t,n){let[r,o]=e.links?.[e.
funcs[t]?.[1]]??[-1,""];return r<0?"":e.folders[r]+o.replace("{}",String(Math.max(n,1)))}function Ie(e,t){let n=document.
createElement("a");return n.href=e,n.rel="noopener noreferrer",n.textContent=t,n}var Be={user:"your code",dependency:"a \
dependency",std:"the standard library",runtime:"the runtime",label:"the value of a label"};function ut(e,t,n){let r=e.tree.
fn[n],o=e.tree.line[n]<0?"inlined":"";return r<0?"":[Be[W[t.funcs[r][2]]],en(e,t,n),o].filter(Boolean).join(" · ")}function Oe(e,t,n){
let r=e.tree,o=r.change?[oe(e,t,n),ut(e,t,n),...Pe(r,n)]:[oe(e,t,n),ut(e,t,n),ee(e,r.total[n])+" total, "+G(e,r.total[n])+
" · "+ee(e,r.self[n])+" self, "+G(e,r.self[n])],a=r.parent[n];a>0&&r.total[a]>0&&o.push($(r.total[n]/r.total[a])+" of "+
J(t,r.fn[a]));let l=(t.marks??[]).filter(s=>s.fn===r.fn[n]);return{lines:o,findings:[...new Set(l.map(s=>s.id+": "+t.findings[s.
finding]))]}}function Ne(e,t,n=0,r=0){if(e.hidden=!t,!t)return;let{lines:o,findings:a}=t;e.replaceChildren(...[...o,...a].
map((s,i)=>{let f=document.createElement("div");return f.textContent=s,i>=o.length&&(f.className="finding-line"),f}));let l=e.
getBoundingClientRect();e.style.left=Math.max(8,Math.min(n+14,innerWidth-l.width-8))+"px",e.style.top=(r+18+l.height>innerHeight?
Math.max(8,r-l.height-12):r+18)+"px"}function ft(e,t){let n=e.tree,r=[],{match:o}=e;if(o){let a=ot(n,l=>o.has(l));r.push(
a.frames?["Found ",G(e,a.sum)," ("+ee(e,a.sum)+") in "+he(a.frames)+" frames"]:["Found ","nothing",""])}if(e.selected>=0){
let a=Oe(e,t,e.selected);r.push(["",a.lines[0]," "+[...a.lines.slice(1,n.change?4:3),...a.findings].filter(Boolean).join(
" · "),De(t,n.fn[e.selected],Math.abs(n.line[e.selected]))])}else if(!e.match){let a=e.zoom?" in "+oe(e,t,e.zoom):"";n.
change?r.push(["",oe(e,t,e.zoom),": "+Pe(n,e.zoom).join(" · ")]):r.push(["",ee(e,n.total[e.zoom]),(n.whole?" ("+G(e,n.total[e.
zoom])+")":"")+" of "+n.type.name+a+", "+he(n.n-1)+" frames"])}return r.map(([a,l,s,i])=>{let f=document.createElement("\
span"),g=document.createElement("b");return g.textContent=l,f.append(a,g,s),i&&f.append(" · ",Ie(i,"source")),f})}function mt(e,t){
let n=document.createElement("button");return n.type="button",n.setAttribute("role","tab"),n.textContent=e,n.addEventListener(
"click",t),n}function Q(e,t){let n=document.createElement("span"),r=document.createElement("span");return r.className="k\
ey "+e,n.append(r,t),n}function pt(e,t){let n=e.tree;if(n.change)return ht();let r={user:"your code",dependency:"depende\
ncies",std:"standard library",runtime:"runtime"},o=new Float64Array(W.length);for(let l=1;l<n.n;l++){let s=l;for(;Y(t,n.
fn[s])&&n.parent[s]>0;)s=n.parent[s];Y(t,n.fn[s])||(o[t.funcs[n.fn[s]][2]]+=n.self[l])}let a=W.flatMap((l,s)=>o[s]>0?[Q(
l,r[l]+" "+G(e,o[s]))]:[]);return n.fn.some(l=>Y(t,l))&&a.push(Q("label","value of a label")),n.line.some(l=>l<0)&&a.push(
Q("inlined",ve+"inlined by the compiler")),n.fn.some(l=>e.marks.has(l))&&a.push(Q("mark","frame of a finding")),a}function dt(e,t,n){
let r=new Set(e.tree.fn),o=new Map;for(let a of t.marks??[]){if(!r.has(a.fn))continue;let l=o.get(a.finding)??{id:a.id,fns:new Set};
l.fns.add(a.fn),o.set(a.finding,l)}return[...o].sort(([a],[l])=>a-l).map(([a,{id:l,fns:s}])=>{let i=document.createElement(
"div"),f=document.createElement("a");return i.setAttribute("role","group"),i.setAttribute("aria-label",l+": "+t.findings[a]),
f.href=(t.page??"")+"#finding-"+a,f.title=t.findings[a],f.textContent=l,i.append(f,...[...s].map(g=>{let u=document.createElement(
"button");return u.type="button",u.title=t.funcs[g][0],u.textContent=Ce(t.funcs[g][0]),u.addEventListener("click",()=>n(
g)),u})),i})}var tn=[0,.01,.05];function at(e){let t=n=>{let r=Float64Array.from(e.graph.self[n]);for(let[o,a]of e.graph.cut[n])r[o]+=
a;for(let o=e.n-1;o>0;o--)r[e.parent[o]]+=r[o];return r};e.sides=[t(0),t(1)],e.wholes=e.graph.wholes??[e.sides[0][0],e.sides[1][0]],
ze(e)}function ze(e){e.change=new Float64Array(e.n);let[t,n]=[e.sides,e.wholes],{diff:r,types:o}=e.graph,a=n[1]*o[1].scale;
for(let l=0;l<e.n;l++){let s=t[0][l]*o[0].scale-t[1][l]*o[1].scale,i=0;for(let f of[0,1])i+=r.sample[f]*t[f][l]*(1-t[f][l]/
n[f])*o[f].scale**2;Math.abs(s)>Math.max(2*Math.sqrt(Math.max(i,0)),r.noise*a)&&(e.change[l]=s/a)}}function nt(e){let t=0;
for(let n of tn)Math.abs(e)>n&&t++;return Math.sign(e)*t}function nn(e){return(e>0?"+":"−")+$(Math.abs(e))}function rt(e){
return e===0?"":(e>0?"▲":"▼")+$(Math.abs(e)).replace(" ","")+" "}function Pe(e,t){let{types:n}=e.graph,r=e.sides[1][t]*
n[1].scale,o=e.sides[0][t]*n[0].scale,a=n[0].unit,l=o-r,s=e.wholes[1]*n[1].scale;return[j(r,a)+" "+n[1].name+", "+j(o,a)+
" "+n[0].name,e.change[t]===0?"no change beyond sampling error and noise":(l>0?"+":"")+j(l,a)+", "+nn(l/s)+" of total "+
n[1].name]}function ht(){let e=["below 1 %","1 to 5 %","above 5 %"];return[...e.map((t,n)=>Q("more"+(n+1),"▲ more, "+t)),
...e.map((t,n)=>Q("less"+(n+1),"▼ less, "+t)),Q("none","no change beyond sampling error and noise")]}function Le(e,t){return e.sides?e.sides.some(n=>n[t]>0):e.total[t]>0}function rn(e){let t=new Set;for(let n=1;n<e.n;n++)
e.parent[n]>0&&Le(e,n)&&t.add(e.fn[e.parent[n]]);return t}function bt(e){let{types:t}=e.graph,n=s=>{let{self:i,total:f}=se(
e.sides?{...e,self:e.graph.self[s],total:e.sides[s]}:e),g=e.sides?t[s].scale:e.type.scale;return{flat:i.map(u=>u*g),cum:f.
map(u=>u*g)}},r=rn(e),o=n(0),a=e.sides?n(1):null,l=[];return o.cum.forEach((s,i)=>{let f={fn:i,path:[i],calls:r.has(i),flat:o.
flat[i],cum:s};a&&Object.assign(f,{flatChange:f.flat-a.flat[i],cumChange:s-a.cum[i]}),(s>0||a&&a.cum[i]>0)&&l.push(f)}),
l}function gt(e,t){let n=[];for(let r=t+1;r<e.end[t];r=e.end[r])Le(e,r)&&n.push(r);return n}function yt(e,t){let n=t.tree??
ge(e,t.fn),{types:r}=n.graph;return gt(n,t.node??0).map(o=>{let a=i=>({flat:n.selves[i][o]*r[i].scale,cum:n.sides[i][o]*
r[i].scale}),l=n.sides?a(0):{flat:n.self[o]*n.type.scale,cum:n.total[o]*n.type.scale};if(n.sides){let i=a(1);Object.assign(
l,{flatChange:l.flat-i.flat,cumChange:l.cum-i.cum})}let s=n.fn[o];return{...l,fn:s,path:[...t.path,s],tree:n,node:o,calls:gt(
n,o).length>0}})}function qe(e,t){let n=t==="flat"?"cum":"flat",r=(o,a)=>Math.abs(o[`${a}Change`]??o[a]);return e.sort((o,a)=>r(
a,t)-r(o,t)||r(a,n)-r(o,n)||o.fn-a.fn)}function on(e,t){return e===0?"0":(e>0?"+":"")+j(e,t)}function wt(e){let{unit:t}=e.
sides?e.graph.types[0]:e.type,n=(e.whole??e.total[0])*e.type.scale;return["flat","cum"].flatMap(r=>[[r,r==="flat"?"Flat":
"Cum",o=>j(o[r],t)],e.sides?["","change",o=>on(o[`${r}Change`],t)]:["","share",o=>$(n?o[r]/n:0)]])}function Me(e,t){let n=[];for(let r=1;r<e.n;){if(e.fn[r]!==t){r++;continue}Le(e,r)&&n.push(r),r=e.end[r]}return n}function Et(e,t){
let n=e.sides??[],r={parent:[-1],fn:[t],self:[0],total:[0],line:[0],most:[0],sides:n.map(()=>[0]),selves:n.map(()=>[0])},
o=new Map,a=e.funcs;function l(i,f){let g=i*a+f,u=o.get(g);if(u===void 0){u=r.fn.length,o.set(g,u),r.parent.push(i),r.fn.
push(f),r.self.push(0),r.total.push(0),r.line.push(0),r.most.push(0);for(let w of[...r.sides,...r.selves])w.push(0)}return u}
function s(i,f,g=f){r.total[i]+=e.total[f],e.total[g]>r.most[i]&&(r.most[i]=e.total[g],r.line[i]=e.line[g]),r.sides.forEach(
(u,w)=>{u[i]+=n[w][f]})}return{nodes:r,step:l,add:s}}function ge(e,t){let{nodes:n,step:r,add:o}=Et(e,t),a=[0];for(let l of Me(
e,t))for(let s=l;s<e.end[l];s++){let i=e.depth[s]-e.depth[l];i>0&&(a[i]=r(a[i-1],e.fn[s])),o(a[i],s),n.self[a[i]]+=e.self[s],
n.selves.forEach((f,g)=>{f[a[i]]+=e.graph.self[g][s]})}return xt(e,n)}function Tt(e,t){let{nodes:n,step:r,add:o}=Et(e,t);
for(let a of Me(e,t)){let l=0;o(0,a);for(let s=e.parent[a];s>0;s=e.parent[s])l=r(l,e.fn[s]),o(l,a,s)}return xt(e,n)}function xt(e,t){
let n=t.fn.length,r=Array.from({length:n},()=>[]);for(let s=1;s<n;s++)r[t.parent[s]].push(s);let o={n,graph:e.graph,type:e.
type,whole:e.whole??e.total[0],funcs:e.funcs,fn:new Int32Array(n),line:new Int32Array(n),depth:new Int32Array(n),parent:new Int32Array(
n),end:new Int32Array(n),self:new Float64Array(n),total:new Float64Array(n),x:new Float64Array(n)};e.sides&&(o.sides=e.sides.
map(()=>new Float64Array(n)),o.selves=e.sides.map(()=>new Float64Array(n)),o.wholes=e.wholes);let a=[[0,-1,0,0]],l=0;for(;a.
length;){let[s,i,f,g]=a.pop(),u=l++;o.fn[u]=t.fn[s],o.parent[u]=i,o.depth[u]=f,o.x[u]=g,o.self[u]=t.self[s],o.total[u]=t.
total[s],o.line[u]=t.line[s],o.sides?.forEach((S,y)=>{S[u]=t.sides[y][s]}),o.selves?.forEach((S,y)=>{S[u]=t.selves[y][s]});
let w=r[s].sort((S,y)=>t.total[y]-t.total[S]||t.fn[S]-t.fn[y]),E=g;for(let S of w)E+=t.total[S];for(let S of w.reverse())
E-=t.total[S],a.push([S,u,f+1,E])}return Re(o),o.sides&&ze(o),o}function se(e){let t=new Float64Array(e.funcs),n=new Float64Array(
e.funcs),r=new Int32Array(e.funcs),o=[];for(let a=1;a<e.n;a++){for(;o.length>=e.depth[a];)r[o.pop()]--;let l=e.fn[a];t[l]+=
e.self[a],r[l]===0&&(n[l]+=e.total[a]),r[l]++,o.push(l)}return{self:t,total:n}}function Ke(e,t=e.keys()){let n=-1;for(let r of t)
e[r]>(n<0?0:e[n])&&(n=r);return n}function Ae(e,t){let n=t.toLowerCase().split("|").map(l=>l.trim()).filter(Boolean);if(!n.length)return null;let r=l=>n.some(
s=>l.includes(s)),o=(e.files??[]).map(l=>r(l.toLowerCase())),a=new Set;return e.funcs.forEach(([l,s],i)=>{(r(l.toLowerCase())||
o[s])&&a.add(i)}),a}function sn(e,t){let n=new Uint8Array(e.n);for(let r=1;r<e.n;r++)n[r]=n[e.parent[r]]||t.has(e.fn[r])?
1:0;return n}function St(e,{focus:t,ignore:n,from:r}){let[o,a,l]=[t,n,r].map(g=>g&&sn(e,g)),s=g=>(!o||o[g])&&!(a&&a[g])&&
(!l||l[g]),i=(g,u)=>g.reduce((w,E)=>w+E,0)+e.graph.cut[u].reduce((w,[,E])=>w+E,0),f={...e.graph,wholes:e.graph.self.map(
i),lines:{fn:[],line:[],self:[],total:[]},self:e.graph.self.map(g=>g.map((u,w)=>s(w)?u:0)),cut:e.graph.cut.map(g=>g.filter(
([u])=>s(u)))};return Te(l?an(e,f,l):f,e.funcs)}function an(e,t,n){let r=[{depth:0,children:new Map}],o=new Int32Array(e.
n);for(let s=1;s<e.n;s++){if(!n[s])continue;let i=r[o[e.parent[s]]];i.children.has(e.fn[s])||(i.children.set(e.fn[s],r.length),
r.push({fn:e.fn[s],line:e.line[s],depth:i.depth+1,children:new Map})),o[s]=i.children.get(e.fn[s])}let a=s=>{let i=new Array(
r.length).fill(0);return s.forEach((f,g)=>{i[o[g]]+=f}),i},l=t.cut.map(s=>s.map(([i,f])=>[o[i],f]));return ln({...t,self:t.
self.map(a),cut:l},r)}function ln(e,t){let n=[...e.self[e.default]];for(let[s,i]of e.cut[e.default])n[s]+=i;for(let s=t.
length-1;s>=0;s--)for(let i of t[s].children.values())n[s]+=n[i];let r=[],o=[0];for(;o.length;){let s=o.pop();r.push(s);
for(let i of[...t[s].children.values()].sort((f,g)=>n[f]-n[g]))o.push(i)}let a=new Int32Array(t.length);r.forEach((s,i)=>{
a[s]=i});let l=r.slice(1);return{...e,fn:l.map(s=>t[s].fn),line:l.map(s=>t[s].line),up:l.map((s,i)=>t[r[i]].depth+1-t[s].
depth),self:e.self.map(s=>r.map(i=>s[i])),cut:e.cut.map(s=>s.map(([i,f])=>[a[i],f]))}}function je(e,t){if(e.hashes)return e.
hashes;let n=We(t);e.hashes=new Uint32Array(e.n);for(let r=1;r<e.n;r++)e.hashes[r]=Ge(e.hashes[e.parent[r]],n[e.fn[r]],e.
depth[r]);return e.hashes}function We(e){return e.hashes??=e.funcs.map(([t])=>{let n=2166136261;for(let r=0;r<t.length;r++)
n=Math.imul(n^t.charCodeAt(r),16777619);return n}),e.hashes}function Ge(e,t,n){return Math.imul(e^e>>>15^t,739982445)+n}
function Ue(e,t,n){return n?Math.max(je(e,t).indexOf(n),0):0}function cn(e,t,n){let r=e.graph.lines,o=[];if(r.fn?.forEach((s,i)=>{s===n&&o.push({line:r.line[i],self:r.self[t][i],total:r.
total[t][i]})}),o.length)return{rows:o,exact:!0};let a=new Map,l=s=>(a.has(s)||a.set(s,{line:s,self:0,total:0}),a.get(s));
for(let s of Me(e,n))l(e.line[s]).total+=e.total[s];for(let s=1;s<e.n;s++)e.fn[s]===n&&(l(e.line[s]).self+=e.self[s]);return{
rows:[...a.values()].sort((s,i)=>s.line-i.line),exact:!1}}function B(e,t,n){let r=document.createElement(e);return r.append(
t),n&&(r.className=n),r}function un(e){let t="http://www.w3.org/2000/svg",n=document.createElementNS(t,"svg");n.setAttribute(
"class","share"),n.setAttribute("viewBox","0 0 100 6"),n.setAttribute("preserveAspectRatio","none"),n.setAttribute("aria\
-hidden","true");for(let[r,o]of[["track",100],["fill",Math.min(100*e,100)]]){let a=document.createElementNS(t,"rect");a.
setAttribute("class",r),a.setAttribute("width",String(o)),a.setAttribute("height","6"),n.append(a)}return n}function Lt(e,t,n,r){
let o=e.tree,{rows:a,exact:l}=cn(o,n,r),s=document.createElement("table"),i=document.createElement("tr");for(let[w,E]of[
["Line","num"],["Self","num"],["Share","num"],["With callees","num"],["Share","num"],["",""]]){let S=B(w?"th":"td",w,E);
w&&(S.scope="col"),i.append(S)}let f=document.createElement("tbody"),g=o.whole??o.total[0];for(let w of a){let E=document.
createElement("tr"),S=De(t,r,w.line),y=B("th",S?Ie(S,String(w.line)):w.line?String(w.line):"–","num");y.scope="row",E.
append(y,B("td",ee(e,w.self),"num"),B("td",G(e,w.self),"num"),B("td",ee(e,w.total),"num"),B("td",G(e,w.total),"num"),B("\
td",un(g?w.total/g:0),"barcell")),f.append(E)}if(s.append(B("thead",i),f),l)return[s];let u=B("p","The page has every li\
ne only for the heaviest functions. In this function, each frame counts at its heaviest line.","note");return[s,u]}var q=(()=>{let e={width:0,height:0,top:0,match:null,marks:new Map},t=[],n=[],r=[],o,a,l,s,i,f,g,u=0,w=0,E="graph",S=-1,
y=[],x=0,D=null,C=()=>{};function M(c){return a.querySelector(c)}function K(c,m={}){return{tree:c,zoom:0,base:0,dir:1,from:0,
hover:-1,selected:-1,...m}}function V(c=x){return{...e,...y[c]}}function F(){performance.clearMeasures("flame");let c=performance.
now();if(e.width=l.clientWidth,!e.width)return;let m=et(y,e.width)*R,h=parseFloat(getComputedStyle(l).maxHeight)||m;e.height=
Math.min(m,h),M(".spacer").style.height=m-e.height+"px",e.top=Math.min(l.scrollTop,m-e.height);let b=devicePixelRatio||1,
[k,fe]=[Math.round(e.width*b),Math.round(e.height*b)];(s.width!==k||s.height!==fe)&&(s.width=k,s.height=fe,s.style.width=
e.width+"px",s.style.height=e.height+"px"),i.setTransform(b,0,0,b,0,0),i.clearRect(0,0,e.width,e.height),y.forEach((wn,Gt)=>tt(
i,V(Gt),o)),performance.measure("flame",{start:c,end:performance.now()})}function P(){g.replaceChildren(...ft(V(),o)),E===
"lines"&&S>=0&&M(".lines").replaceChildren(...Lt(L(),o,w,S))}function z(c){y[0].zoom=c,F(),P(),C(!0)}function O(c,m){for(let k of y)
k.selected=-1;x=c;let h=y[c];h.selected=m;let b=h.base+h.dir*h.tree.depth[m]*R;(b<l.scrollTop||b+R>l.scrollTop+e.height)&&
(l.scrollTop=b-e.height/2),F(),P(),C(!1)}function ce(c){e.match=Ae(o,c),E!=="graph"&&T(),F(),P(),C(!1)}function te(){for(let c of y)
c.selected=-1;y[0].zoom=0,x=0,M("input").value="",l.scrollTop=0,C(!0),ce("")}function ue(c){w=c;let m=t[u];if(He(m,c),E===
"graph"){let h=y[0];for(;h.zoom>0&&m.total[h.zoom]===0;)h.zoom=m.parent[h.zoom]}else p(S);M(".types select").value=String(
c),M(".legend").replaceChildren(...pt({...e,tree:m},o)),F(),P(),C(!0)}function _(c){u=c;let m=o.graphs[c];n[c]??=Te(m,o.
funcs.length),t[c]??=D?St(n[c],D):n[c],r.length=0,y=[K(t[c])],x=0,l.scrollTop=0,a.querySelectorAll(".tabs button").forEach(
(b,k)=>{b.setAttribute("aria-selected",String(k===c)),b.tabIndex=k===c?0:-1}),M(".types select").replaceChildren(...m.types.
map((b,k)=>new Option(b.name,String(k),!1,k===m.default))),M(".types").hidden=m.types.length<2,M(".marks").replaceChildren(
...dt(V(),o,A)),He(t[c],m.default),E!=="graph"&&(S=Ee()),ue(m.default)}function Ee(){let{self:c,total:m}=se(t[u]);return S>=
0&&m[S]>0?S:Math.max(Ke(c),0)}function X(c){let m=y[x];m.selected>=0&&m.tree.fn[m.selected]>=0&&(S=m.tree.fn[m.selected]),
E=c,r.length=0;for(let h of a.querySelectorAll(".modes button"))h.setAttribute("aria-pressed",String(h.dataset.mode===E));
a.dataset.mode=E,M(".function").hidden=E==="graph",M(".lines").hidden=E!=="lines",l.hidden=E==="lines",M(".legend").hidden=
E==="lines",l.scrollTop=0,E==="graph"?(y=[K(t[u])],x=0):p(Ee()),F(),P(),C(!0)}function p(c){S=c;let m=t[u];x=0,y=E==="sa\
ndwich"?[K(ge(m,c),{selected:0}),K(Tt(m,c),{dir:-1,from:1})]:[K(ge(m,c),{selected:0})],T(),E==="sandwich"&&(e.width=l.clientWidth,
F(),l.scrollTop=Math.max(0,y[0].base-e.height/2))}function d(c){c<0||c===S||(r.push(S),p(c),F(),P(),C(!0))}function T(){
let{self:c,total:m}=se(t[u]),h=[...m.keys()].filter(k=>m[k]>0&&(!e.match||e.match.has(k))).sort((k,fe)=>m[fe]-m[k]||c[fe]-
c[k]).slice(0,300);h.includes(S)||h.unshift(S);let b=k=>G(L(),m[k])+"  "+J(o,k);M(".function select").replaceChildren(...h.
map(k=>new Option(b(k),String(k),!1,k===S)))}function L(){return{...e,tree:t[u]}}function A(...c){if(E!=="graph"){d(c.at(
-1));return}let m=t[u],h=st(m,c);if(h<0)return;let b=h;for(;b>0&&m.total[h]/m.total[b]>.12;)b=m.parent[b];y[0].zoom=b,F(),
C(!0),O(0,h)}function v(){let{tree:c,zoom:m,selected:h}=y[0],b=h<0?m:h;return{ArrowDown:()=>O(0,h<0?m:xe(c,b)),ArrowUp:()=>{
c.parent[b]<0||(b===m&&z(c.parent[b]),O(0,c.parent[b]))},ArrowLeft:()=>{b!==m&&O(0,pe(c,b,-1))},ArrowRight:()=>{b!==m&&O(
0,pe(c,b,1))},Enter:()=>z(b),Escape:()=>{m>0?z(c.parent[m]):te()},Home:te}}function H(){let{tree:c,selected:m}=y[x],h=Math.
max(m,0),b=()=>O(x,xe(c,h)),k=()=>O(c.parent[h]>0?x:0,Math.max(c.parent[h],0));return{ArrowDown:x===0?b:k,ArrowUp:()=>{x===
1?b():h>0?k():y[1].tree.n>1&&O(1,xe(y[1].tree,0))},ArrowLeft:()=>O(x,pe(c,h,-1)),ArrowRight:()=>O(x,pe(c,h,1)),Enter:()=>d(
c.fn[h]),Escape:()=>ne(),Home:()=>O(0,0)}}function ne(){r.length?(p(r.pop()),F(),P(),C(!0)):X("graph")}function re(c){let m=E===
"graph"?v():H();!m[c.key]||c.ctrlKey||c.metaKey||c.altKey||(c.preventDefault(),m[c.key]())}function It(){s.addEventListener(
"pointermove",c=>{let[m,h]=Fe(y,e,c.offsetX,c.offsetY);y.some((b,k)=>b.hover!==(k===m?h:-1))&&(y.forEach((b,k)=>{b.hover=
k===m?h:-1}),F()),c.pointerType==="mouse"&&Ne(f,h<0?null:Oe(V(m),o,h),c.clientX,c.clientY)}),s.addEventListener("pointer\
leave",()=>{for(let c of y)c.hover=-1;Ne(f,null),F()}),s.addEventListener("click",c=>{let[m,h]=Fe(y,e,c.offsetX,c.offsetY);
if(!(h<0)){if(E==="sandwich"){d(y[m].tree.fn[h]);return}y[0].selected=h,z(h)}})}function Bt(){let c=M(".tabs");c.replaceChildren(
...o.graphs.map((m,h)=>mt(m.title,()=>_(h)))),c.addEventListener("keydown",m=>{let h={ArrowRight:1,ArrowLeft:-1}[m.key];
h&&(_((u+h+o.graphs.length)%o.graphs.length),c.children[u].focus())})}function Ot(c,m){if(a=document.getElementById("fla\
me"),!(!a||!c.graphs?.length)){o=c,l=M(".stage"),s=l.querySelector("canvas"),i=s.getContext("2d"),f=M(".tip"),g=M(".stat\
us");for(let h of o.marks??[]){let b=e.marks.get(h.fn)??[];e.marks.set(h.fn,b.includes(h.id)?b:[...b,h.id])}Bt(),It(),l.
addEventListener("keydown",re),l.addEventListener("scroll",F);for(let h of a.querySelectorAll(".modes button"))h.addEventListener(
"click",()=>X(h.dataset.mode));M(".types select").addEventListener("change",h=>ue(Number(h.target.value))),M(".function \
select").addEventListener("change",h=>d(Number(h.target.value))),M("input").addEventListener("input",h=>ce(h.target.value)),
M("input").addEventListener("keydown",Nt),M(".reset").addEventListener("click",te),_(o.marks?.[0]?.graph??0),m&&(C=m),new ResizeObserver(
F).observe(a),I.onChange(F)}}function Nt(c){if(c.key!=="Enter"||!e.match?.size)return;let{total:m}=se(t[u]),h=Ke(m,e.match);
h>=0&&A(h)}function Pt(c){let m=o.marks[c];E!=="graph"&&X("graph"),u!==m.graph&&_(m.graph),A(m.fn),a.scrollIntoView({block:"\
start"}),l.focus({preventScroll:!0})}function zt(c){u!==c&&_(c),l.focus({preventScroll:!0})}function qt(){let{zoom:c,selected:m}=y[0],
h=b=>E==="graph"&&b>0?je(t[u],o)[b]:0;return{graph:u,type:o.graphs[u].types[w].name,view:E,zoom:h(c),at:h(m),fn:E==="gra\
ph"?"":o.funcs[S]?.[0]??"",find:M("input").value}}function Kt(c){let m=C;C=()=>{},D=c.filter,t.length=0,_(Math.min(c.graph,
o.graphs.length-1)),E!=="graph"&&X("graph");let h=o.graphs[u].types.findIndex(b=>b.name===c.type);if(h>=0&&h!==w&&ue(h),
M("input").value=c.find,ce(c.find),c.view==="sandwich"||c.view==="lines")S=o.funcs.findIndex(([b])=>b===c.fn),X(c.view);else{
y[0].zoom=Ue(t[u],o,c.zoom),F();let b=Ue(t[u],o,c.at);b>0?O(0,b):P()}C=m}function jt(){return{tree:t[u],column:w,match:e.
match}}function Wt(){let c=y[x];return c.selected>0||E!=="graph"&&c.selected===0?oe(V(),o,c.selected):""}return{start:Ot,
showMark:Pt,showGraph:zt,reset:te,state:qt,restore:Kt,shownFunctions:jt,selectedName:Wt,jump:A,keys:re}})();var fn=50;function Mt(e,t,n,{shown:r,show:o,changed:a}){let l=new Set,s=new WeakMap,i="flat",f=30,g=[],u,w;function E(){
let p=r(),d=[p.tree,p.column,p.match,i,f];if(d.every((v,H)=>v===g[H]))return;g=d,u=p.tree,w=wt(u);let T=s.get(P(document.
activeElement))?.key,L=qe(bt(u).filter(v=>!p.match||p.match.has(v.fn)),i);e.replaceChildren(...L.length?S(L):[B("p","No \
function matches.","empty")]);let A=F();A.length&&(A[0].tabIndex=0),T!==void 0&&z(A.find(v=>s.get(v).key===T)??A[0])}function S(p){
let d=U("table","treegrid","cards functions");d.setAttribute("aria-label","Functions"),d.setAttribute("aria-describedby",
"functions-how");let T=U("thead","rowgroup");T.append(y());let L=U("tbody","rowgroup");if(L.append(...p.slice(0,f).flatMap(
(v,H)=>x(v,H,p.length))),d.append(T,L),p.length<=f)return[d];let A=B("button","Show more: "+he(p.length-f)+" functions a\
re left","quiet more");return A.type="button",A.addEventListener("click",()=>{let v=f;f+=200,a(!1),z(F().filter(H=>H.ariaLevel===
"1")[v])}),[d,A]}function y(){let p=U("tr","row"),d=U("th","columnheader");return d.scope="col",d.append("Function"),p.append(
d,...w.map(([T,L])=>{let A=U("th","columnheader","num");if(A.scope="col",!T)return A.append(L),A;let v=B("button",L+(T===
i?" ▾":""),"link");return v.type="button",v.dataset.sort=T,v.addEventListener("click",()=>{i=T,a(!0),e.querySelector("\
[data-sort="+T+"]")?.focus()}),T===i&&A.setAttribute("aria-sort","descending"),A.append(v),A})),p}function x(p,d,T){p.key=
mn(n,p.path);let L=U("tr","row");return s.set(L,p),L.tabIndex=-1,L.setAttribute("aria-level",String(p.path.length)),L.setAttribute(
"aria-posinset",String(d+1)),L.setAttribute("aria-setsize",String(T)),p.calls&&L.setAttribute("aria-expanded",String(l.has(
p.key))),L.append(C(L,p),...w.map(([A,v,H],ne)=>{let re=U("td","gridcell","num");return re.append(H(p)),re.dataset.label=
A?v.toLowerCase():w[ne-1][1].toLowerCase()+" "+v,re})),p.calls&&l.has(p.key)?[L,...D(p)]:[L]}function D(p){let d=qe(yt(u,
p),i);return d.flatMap((T,L)=>x(T,L,d.length))}function C(p,d){let T=U("th","rowheader");T.scope="row";let L=B("span",d.
calls?l.has(d.key)?"▾":"▸":"","twist");L.setAttribute("aria-hidden","true"),L.addEventListener("click",()=>{d.calls&&
O(p)});let A=B("button",n.funcs[d.fn][0],"link symbol");A.type="button",A.tabIndex=-1,A.addEventListener("click",()=>o(d.
path));let v=B("div",A);v.append(B("span",[...M(d.fn),...K(d.fn)].join(" · "),"sub"));let H=B("div",L,"tree");return H.
style.setProperty("--above",String(d.path.length-1)),H.append(v),T.append(H),T}function M(p){let[,d,T]=n.funcs[p];return T===
ke?[W[T],n.files[d]]:[W[T],...d<0?[]:[n.files[d].split("/").slice(-2).join("/")]]}function K(p){return[...new Set((n.marks??
[]).filter(d=>d.fn===p).map(d=>d.id))]}function V(p,d){let T=w.map(([,,H])=>H(d)),L=d.path.slice(0,-1).map(H=>J(n,H)).reverse(),
A=K(d.fn),v=d.calls?p.ariaExpanded==="true"?"What it calls is open":"Right shows what it calls":"It calls nothing that w\
as counted";return[n.funcs[d.fn][0]+(L.length?", called by "+L.join(", by "):""),[["itself",0],["with what it calls",2]].
map(([H,ne])=>T[ne]+" "+H+", "+T[ne+1]+(u.sides?" against the base":" of all")).join("; "),(Y(n,d.fn)?"It is ":"In ")+[Be[W[n.
funcs[d.fn][2]]],...M(d.fn).slice(1)].join(", "),...A.length?["A place of "+A.join(", ")]:[],v].join(". ")+"."}function F(){
return[...e.querySelectorAll("tbody tr")]}function P(p){return p&&e.contains(p)?p.closest("tbody tr"):null}function z(p){
p?.focus()}function O(p){let d=s.get(p),T=!l.delete(d.key);if(T)l.add(d.key),p.after(...D(d));else for(;Number(p.nextElementSibling?.
ariaLevel)>d.path.length;)p.nextElementSibling.remove();p.setAttribute("aria-expanded",String(T)),p.querySelector(".twis\
t").textContent=T?"▾":"▸",P(document.activeElement)===p?t.textContent=V(p,d):e.querySelector('tbody tr[tabindex="0"]')||
(p.tabIndex=0),a(!1)}function ce(p){let d=p.previousElementSibling;for(;d&&Number(d.ariaLevel)>=Number(p.ariaLevel);)d=d.
previousElementSibling;return d}function te(p){let d=P(p.target);if(!d||p.ctrlKey||p.metaKey||p.altKey)return;let T=d.ariaExpanded,
L={ArrowDown:()=>z(d.nextElementSibling),ArrowUp:()=>z(d.previousElementSibling),ArrowRight:()=>{T==="true"?z(d.nextElementSibling):
T&&O(d)},ArrowLeft:()=>{T==="true"?O(d):z(ce(d))},Home:()=>z(F()[0]),End:()=>z(F().at(-1)),Enter:()=>o(s.get(d).path)}[p.
key];L&&(p.preventDefault(),p.stopPropagation(),L())}function ue(p){let d=P(p.target);if(!d)return;for(let L of e.querySelectorAll(
'tbody tr[tabindex="0"]'))L.tabIndex=-1;d.tabIndex=0;let T=V(d,s.get(d));t.textContent!==T&&(t.textContent=T)}e.addEventListener(
"keydown",te),e.addEventListener("focusin",ue);function _(){return{sort:i,open:[...l].slice(-fn).map(p=>p.toString(16)).
join(".")}}function Ee({sort:p,open:d}){i=p==="cum"?"cum":"flat",l.clear();for(let T of d.split("."))T&&l.add(Number.parseInt(
T,16));g=[]}function X(){let p=s.get(P(document.activeElement));return p?n.funcs[p.fn][0]:""}return{refresh:E,state:_,restore:Ee,
focusedName:X}}function U(e,t,n){let r=document.createElement(e);return r.setAttribute("role",t),n&&(r.className=n),r}function mn(e,t){
let n=We(e);return t.reduce((r,o,a)=>Ge(r,n[o],a+1),0)>>>0}function At(e){let t=document.querySelector(".stage");q.jump(
...e),t.scrollIntoView({block:"center"}),t.focus({preventScroll:!0})}function be(e){return/^[\w./:=@%,+-]+$/.test(e)?e:"'"+e.replaceAll("'","'\\''")+"'"}function kt(e){return"(?i)"+e.split(
"|").map(n=>n.trim()).filter(Boolean).map(n=>n.replace(/[\\.+*?()|[\]{}^$]/g,"\\$&")).join("|")}function vt({type:e,filters:t,
tagroot:n,tagleaf:r,file:o,base:a}){let l=["go","tool","pprof","-http=:"];e&&l.push(be("-sample_index="+e));for(let[s,i]of[
["focus",t.focus],["ignore",t.ignore],["show_from",t.from]])i.trim()&&l.push(be("-"+s+"="+kt(i)));for(let[s,i]of[["tagro\
ot",n],["tagleaf",r]])i&&!i.includes(",")&&l.push(be("-"+s+"="+i));return a&&l.push(be("-diff_base="+a)),l.push(be(o)),l.
join(" ")}function Ct({type:e,filters:t}){let n=new URLSearchParams;for(let[r,o]of[["f",t.focus],["i",t.ignore],["sf",t.
from]])o.trim()&&n.set(r,kt(o));return e&&n.set("si",e),n.size?"?"+n:""}document.documentElement.classList.add("js");I.start();var N=JSON.parse(document.getElementById("data").textContent),ye=[
"focus","ignore","from"],we=e=>document.querySelector("[data-filter="+e+"]"),Ve=document.querySelector(".stage"),ae=document.
getElementById("keys"),_e="",le,ie=(N.flame.graphs?.length??1)-1;function Rt(){return Object.fromEntries(ye.map(e=>[e,we(
e).value]))}function Ht(){let e=ye.map(t=>[t,Ae(N.flame,we(t).value)]);return e.some(([,t])=>t)?Object.fromEntries(e):null}
function Qe(){let e=q.state(),{types:t,default:n}=N.flame.graphs[e.graph],r=new URLSearchParams;for(let[o,a,l]of[["file",
N.file,""],["base",N.base,""],["tagroot",N.tagroot,""],["tagleaf",N.tagleaf,""],["diff",e.graph===ie?"":"off",""],["type",
e.type,t[n].name],["view",e.view,"graph"],["fn",e.fn,""],["zoom",e.zoom.toString(16),"0"],["at",e.at.toString(16),"0"],[
"q",e.find,""],...Object.entries(Rt()).map(([s,i])=>[s,i.trim(),""]),["sort",le.state().sort,"flat"],["open",le.state().
open,""]])a!==l&&r.set(o,a);return location.pathname+"?"+r.toString().replaceAll("%2F","/")}function Ft(){let e=new URLSearchParams(
location.search);for(let n of ye)we(n).value=e.get(n)??"";le.restore({sort:e.get("sort"),open:e.get("open")??""});let t=n=>Number.
parseInt(e.get(n)??"0",16)||0;q.restore({graph:e.get("diff")==="off"?0:ie,type:e.get("type")??"",view:e.get("view")??"gr\
aph",fn:e.get("fn")??"",zoom:t("zoom"),at:t("at"),find:e.get("q")??"",filter:Ht()}),_e=Qe(),Dt()}function $e(e){let t=Qe();
if(t!==_e){let n=history.state?.depth??0;e?history.pushState({depth:n+1},"",t):history.replaceState({depth:n},"",t),_e=t}
Dt()}function Dt(){le.refresh();let e=q.state(),{types:t,default:n}=N.flame.graphs[0],r=e.graph===0?e.type:t[n].name,o={
type:t.length>1?r:"",filters:Rt(),tagroot:N.tagroot,tagleaf:N.tagleaf,file:location.origin+N.download,base:ie>0&&e.graph===
ie?location.origin+N.base_download:""};document.getElementById("pprof").textContent=vt(o),pn(),document.getElementById("\
pprof-pages").search=Ct(o)}function pn(){for(let e of document.querySelectorAll(".tags a")){let t=new URLSearchParams(e.
search),n=new URLSearchParams(new URL(Qe(),location.href).search);for(let r of["tagroot","tagleaf"])n.delete(r);for(let r of[
"zoom","at"])n.delete(r);for(let r of["tagroot","tagleaf"])t.get(r)&&n.set(r,t.get(r));e.search=n.toString().replaceAll(
"%2F","/")}}function Xe(e){q.restore({...q.state(),filter:Ht(),...e}),$e(!0)}function dn(){for(let e of ye)we(e).value="";
Xe({view:"graph",fn:"",zoom:0,at:0,find:"",filter:null})}function hn(){if(ie>0){Xe({graph:ie-q.state().graph,type:""});return}
let e=document.querySelector("#compare summary");e&&(e.parentElement.open=!0,e.focus())}async function gn(){let e=le.focusedName()||
q.selectedName(),t=document.getElementById("said");try{await navigator.clipboard.writeText(e||location.href),t.textContent=
e?"Copied the function’s name.":"Copied the address of this view."}catch{t.textContent="The browser does not let this \
page copy."}}var bn={"/":()=>document.querySelector(".find input").focus(),"?":()=>ae.showModal(),Backspace:()=>{history.
state?.depth>0&&history.back()},c:gn,d:hn};function yn(e){let t=e.target;if(e.ctrlKey||e.metaKey||e.altKey||ae.open)return;
let n=t.matches("input, select, textarea"),r=t===document.body||ae.contains(t),o=e.key==="Escape"?dn:n?null:bn[e.key];o?
(e.preventDefault(),e.stopPropagation(),o(),e.key==="Escape"&&Ve.focus({preventScroll:!0})):r&&/^(Arrow|Enter|Home)/.test(
e.key)&&(Ve.focus({preventScroll:!0}),q.keys(e))}if(N.flame.graphs?.length){Ve.setAttribute("aria-label","Flame graph. A\
rrow keys move, Enter zooms in, Backspace goes back, Escape resets."),le=Mt(document.getElementById("function-table"),document.
getElementById("row-said"),N.flame,{shown:q.shownFunctions,show:At,changed:$e}),q.start(N.flame,$e),Ft(),history.replaceState(
{depth:history.state?.depth??0},"",location.href),addEventListener("popstate",Ft);for(let e of ye)we(e).addEventListener(
"change",()=>Xe({}));document.addEventListener("keydown",yn,!0);for(let e of document.querySelectorAll("[data-keys]"))e.
addEventListener("click",()=>ae.showModal());ae.querySelector("button").addEventListener("click",()=>ae.close())}Ye();})();

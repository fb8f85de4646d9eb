// Made of app/report/web/comparison.ts by `make web`.
"use strict";(()=>{function Ie(){for(let e of document.querySelectorAll("[data-copy]"))e.addEventListener("click",async()=>{let n=document.
getElementById(e.dataset.copy);try{await navigator.clipboard.writeText(n.textContent),e.textContent="Copied"}catch{getSelection().
selectAllChildren(n),e.textContent="Selected"}})}var I=(()=>{let e=document.documentElement,n=matchMedia("(prefers-color-scheme: dark)"),t=[],r=document.createElement("s\
pan");r.hidden=!0,document.body.append(r);let o="",a=!1,l=()=>!a&&(o?o==="dark":n.matches);function s(){e.style.colorScheme=
a?"light":o;let u=document.getElementById("theme");u.textContent=l()?"Light":"Dark";for(let w of t)w()}function i(){document.
getElementById("theme").addEventListener("click",()=>{o=l()?"light":"dark",s()}),n.addEventListener("change",s),addEventListener(
"beforeprint",()=>{a=!0,s()}),addEventListener("afterprint",()=>{a=!1,s()}),s()}function f(u){return r.style.color="var(\
--"+u+")",getComputedStyle(r).color}function g(u){return getComputedStyle(e).getPropertyValue("--"+u).trim()}return{start:i,
color:f,font:g,onChange:u=>t.push(u)}})();var V=["user","dependency","std","runtime"],v=19,Oe=.5,ae=4;function Tt(){return{owner:V.map(e=>I.color("f-"+e)),text:I.
color("f-text"),rest:I.color("f-rest"),match:I.color("f-match"),mark:I.color("f-mark"),markText:I.color("f-mark-text"),more:[
1,2,3].map(e=>I.color("f-more"+e)),less:[1,2,3].map(e=>I.color("f-less"+e)),none:I.color("f-none"),ground:I.color("raise\
d"),focus:I.color("text"),muted:I.color("muted")}}function U(e){let n=e.search(/[[(]/);return e.slice(e.lastIndexOf("/",
n<0?e.length:n)+1)}function xt(e,n,t){let r=e.depth[n];for(let o=n;o<e.end[n];){if(e.total[o]*t<Oe){o=e.end[o];continue}
e.depth[o]>r&&(r=e.depth[o]),o++}return r+1}function Be(e,n){let t=e.map(({tree:o,zoom:a})=>xt(o,a,o.total[a]>0?n/o.total[a]:
0));if(e.length===1)return Math.max(t[0],3);let r=t[1]-1;for(let o of e)o.base=r*v;return Math.max(r+t[0],3)}function ye(e,n,t,r){
let o=Math.floor((r+n.top-e[0].base)/v),a=o<0?1:0,{tree:l,zoom:s}=e[a],i=Math.abs(o);if(i<l.depth[s]){let g=s;for(;g>=0&&
l.depth[g]>i;)g=l.parent[g];return[a,g]}let f=l.x[s]+t/n.width*l.total[s];for(let g=s;g<l.end[s];){if(f<l.x[g]||f>=l.x[g]+
l.total[g]){g=l.end[g];continue}if(l.depth[g]===i)return[a,g];g++}return[a,-1]}function Pe(e,n,t){let{tree:r,zoom:o,width:a,
height:l,top:s,base:i,dir:f,from:g}=n,u=Tt(),w=r.total[o]>0?a/r.total[o]:0,E=new Float64Array(4096).fill(-1);e.font="11.\
5px "+I.font("mono"),e.textBaseline="middle";let S=e.measureText("m").width,y={ctx:e,c:u,glyph:S,view:n,data:t,t:r};for(let T=r.
parent[o];T>=0;T=r.parent[T])Ne(y,T,0,r.depth[T]*v-s,a,!0);for(let T=o;T<r.end[o];){let D=i+f*r.depth[T]*v-s,F=r.total[T]*
w;if((f>0?D>l:D<-v)||F===0){T=r.end[T];continue}if(r.depth[T]<g){T++;continue}let C=(r.x[T]-r.x[o])*w;if(F<Oe){let z=Math.
floor(C);D>-v&&D<l&&E[r.depth[T]]<z&&(e.fillStyle=u.rest,e.fillRect(z,D,1,v-1),E[r.depth[T]]=z),T=r.end[T];continue}D>-v&&
D<l&&Ne(y,T,C,D,F,!1),T++}}function St(e,n,t,r){if(!n.change)return r<0?e.rest:e.owner[r];let o=ze(n.change[t]);return o>
0?e.more[o-1]:o<0?e.less[-o-1]:e.none}function Ne({ctx:e,c:n,glyph:t,view:r,data:o,t:a},l,s,i,f,g){let u=a.fn[l],w=u<0?-1:
o.funcs[u][2],E=r.match&&u>=0&&r.match.has(u),S=g||r.match&&!E;e.globalAlpha=S?.4:a.change?1:[1,.86,.93][u<0?0:u%3],e.fillStyle=
E?n.match:St(n,a,l,w);let y=f>3?1:0;e.fillRect(s,i,f-y,v-1),E&&(e.fillStyle=n.text,e.fillRect(s,i+v-3,f-y,2)),e.globalAlpha=
g?.75:1;let T=s+ae,D=u<0?void 0:r.marks.get(u);D&&(T=Mt(e,n,D,s,i,f-y,t));let F=a.change?Ke(a.change[l]):"";At(e,F+(u<0?
"all":U(o.funcs[u][0])),n.text,T,i,s+f-ae,t),e.globalAlpha=1,(l===r.selected||l===r.hover)&&(e.strokeStyle=n.focus,e.lineWidth=
l===r.selected?2:1,e.strokeRect(s+1,i+1,Math.max(f-y-2,1),v-3))}function Mt(e,n,t,r,o,a,l){if(e.fillStyle=n.mark,a<5)return e.
fillRect(r,o,a,v-1),r+ae;e.strokeStyle=n.mark,e.lineWidth=2,e.strokeRect(r+1,o+1,a-2,v-3);let s=t.join(" "),i=s.length*l+
8;return i>a?r+ae:(e.fillRect(r,o,i,v-1),e.fillStyle=n.markText,e.fillText(s,r+4,o+v/2),r+i+ae)}function At(e,n,t,r,o,a,l){
let s=Math.floor((a-Math.max(r,0))/l);s<2||(e.fillStyle=t,e.fillText(n.length<=s?n:n.slice(0,s-1)+"…",Math.max(r,0),o+
v/2))}function pe(e,n){let t=(e.fn??[]).length+1,r={n:t,graph:e,funcs:n,fn:new Int32Array(t),line:new Int32Array(t),depth:new Int32Array(
t),parent:new Int32Array(t),end:new Int32Array(t),self:new Float64Array(t),total:new Float64Array(t),x:new Float64Array(
t)};r.fn[0]=-1,r.parent[0]=-1;for(let o=1;o<t;o++){r.fn[o]=e.fn[o-1],r.line[o]=e.line[o-1];let a=o-1;for(let l=e.up[o-1];l>
0;l--)a=r.parent[a];r.parent[o]=a,r.depth[o]=r.depth[a]+1}return we(r),r}function we(e){for(let n=e.n-1;n>=0;n--)e.end[n]=
Math.max(e.end[n],n+1),n>0&&(e.end[e.parent[n]]=Math.max(e.end[e.parent[n]],e.end[n]))}function Ee(e,n){let{self:t,total:r,
x:o,parent:a,n:l}=e;t.set(e.graph.self[n]),r.set(e.graph.self[n]);for(let[i,f]of e.graph.cut[n])r[i]+=f;for(let i=l-1;i>
0;i--)r[a[i]]+=r[i];let s=new Float64Array(l);for(let i=1;i<l;i++){let f=a[i];o[i]=o[f]+s[f],s[f]+=r[i]}e.type=e.graph.types[n],
e.whole=e.graph.wholes?.[n],e.graph.diff&&!e.change&&We(e)}function je(e,n){let t=0,r=0,o=0;for(let a=1;a<e.n;a++)n(e.fn[a])&&
(e.total[a]>0&&t++,a>=o&&(r+=e.total[a],o=e.end[a]));return{frames:t,sum:r}}function qe(e,n){let t=n.length-1,r=-1;for(let o=1;o<
e.n;o++){if(e.fn[o]!==n[t]||r>=0&&e.total[o]<=e.total[r])continue;let a=t;for(let l=e.parent[o];a>0&&l>0&&e.fn[l]===n[a-
1];l=e.parent[l])a--;a===0&&(r=o)}return r}function le(e,n,t){let r=e.parent[n];if(r<0)return n;let o=n,a=!1;for(let l=r+
1;l<e.end[r];l=e.end[l])if(e.total[l]!==0){if(t>0&&a)return l;if(l===n){if(t<0)return o;a=!0}o=l}return n}function de(e,n){
let t=n;for(let r=n+1;r<e.end[n];r=e.end[r])e.total[r]>0&&(t===n||e.total[r]>e.total[t])&&(t=r);return t}var Ge=[[1099511627776," TiB",1],[1073741824," GiB",1],[1048576," MiB",1],[1024," KiB",1],[1," B",0]],Lt=[[86400," days",
2],[3600," h",2],[60," min",10],[1," s",1],[.001," ms",1],[1e-6," µs",1],[1e-9," ns",0]],Ct=[[1e12," T",1],[1e9," G",1],
[1e6," M",1],[1e3," k",0]];function Ue(e){return Number(e.toPrecision(3))}function Ve(e){return e.replace(/\.?0+(e|$)/,"\
$1")}function X(e){if(e<0)return"−"+X(-e);if(e===0)return"0";if(e<5e-7)return"<0.000001";if(e>=1e15)return Ve(e.toExponential(
2));if(e>=99.95)return e.toFixed(0).replace(/\B(?=(\d{3})+$)/g,",");let n=2-Math.floor(Math.log10(Ue(e))+1e-9),t=e.toFixed(
Math.min(n,6));return t.includes(".")?Ve(t):t}function kt(e){return Math.abs(e)<1?Number(e.toPrecision(2)):Math.round(10*
e)/10}function ie(e,n){if(e<0)return"−"+ie(-e,n);for(let[t,r,o]of n)if(e>0?Ue(e/t)>=o:t===1)return X(e/t)+r;return X(e)}
function he(e){return e<0?"−"+he(-e):Math.round(e)<1e4?X(e):ie(e,Ct)}function Ft(e,n){switch(n){case"bytes":return ie(
e,Ge);case"bytes/s":return ie(e,Ge)+"/s";case"seconds":return ie(e,Lt);case"share":return X(kt(100*e))+" %";case"cores":
return X(e)==="1"?"1 core":X(e)+" cores";case"1/s":return he(e)+"/s";case"count":case"":return he(e)}return he(e)+" "+n}
function K(e,n){return e==null||!Number.isFinite(e)?"–":Ft(e,n).replaceAll(" "," ")}function ce(e){return K(e,"count")}
function $(e){return K(e,"share")}function Y({tree:e},n,t){return e.fn[t]<0?"all":n.funcs[e.fn[t]][0]}function Rt({tree:e},n,t){let r=e.fn[t]<0?-1:n.funcs[e.
fn[t]][1];return r<0?"":n.files[r]+(e.line[t]?":"+e.line[t]:"")}function Q({tree:e},n){return K(n*e.type.scale,e.type.unit)}
function j({tree:e},n){let t=e.whole??e.total[0];return $(t?n/t:0)}function Te(e,n,t){let[r,o]=e.links?.[e.funcs[n]?.[1]]??
[-1,""];return r<0?"":e.folders[r]+o.replace("{}",String(Math.max(t,1)))}function xe(e,n){let t=document.createElement("\
a");return t.href=e,t.rel="noopener noreferrer",t.textContent=n,t}var Se={user:"your code",dependency:"a dependency",std:"\
the standard library",runtime:"the runtime"};function $e(e,n,t){let r=e.tree.fn[t];return r<0?"":[Se[V[n.funcs[r][2]]],Rt(
e,n,t)].filter(Boolean).join(" · ")}function Me(e,n,t){let r=e.tree,o=r.change?[Y(e,n,t),$e(e,n,t),...Le(r,t)]:[Y(e,n,t),
$e(e,n,t),Q(e,r.total[t])+" total, "+j(e,r.total[t])+" · "+Q(e,r.self[t])+" self, "+j(e,r.self[t])],a=r.parent[t];a>0&&
r.total[a]>0&&o.push($(r.total[t]/r.total[a])+" of "+U(Y(e,n,a)));let l=(n.marks??[]).filter(s=>s.fn===r.fn[t]);return{lines:o,
findings:[...new Set(l.map(s=>s.id+": "+n.findings[s.finding]))]}}function Ae(e,n,t=0,r=0){if(e.hidden=!n,!n)return;let{
lines:o,findings:a}=n;e.replaceChildren(...[...o,...a].map((s,i)=>{let f=document.createElement("div");return f.textContent=
s,i>=o.length&&(f.className="finding-line"),f}));let l=e.getBoundingClientRect();e.style.left=Math.max(8,Math.min(t+14,innerWidth-
l.width-8))+"px",e.style.top=(r+18+l.height>innerHeight?Math.max(8,r-l.height-12):r+18)+"px"}function _e(e,n){let t=e.tree,
r=[],{match:o}=e;if(o){let a=je(t,l=>o.has(l));r.push(a.frames?["Found ",j(e,a.sum)," ("+Q(e,a.sum)+") in "+ce(a.frames)+
" frames"]:["Found ","nothing",""])}if(e.selected>=0){let a=Me(e,n,e.selected);r.push(["",a.lines[0]," "+[...a.lines.slice(
1,t.change?4:3),...a.findings].filter(Boolean).join(" · "),Te(n,t.fn[e.selected],t.line[e.selected])])}else if(!e.match){
let a=e.zoom?" in "+Y(e,n,e.zoom):"";t.change?r.push(["",Y(e,n,e.zoom),": "+Le(t,e.zoom).join(" · ")]):r.push(["",Q(e,t.
total[e.zoom]),(t.whole?" ("+j(e,t.total[e.zoom])+")":"")+" of "+t.type.name+a+", "+ce(t.n-1)+" frames"])}return r.map(([
a,l,s,i])=>{let f=document.createElement("span"),g=document.createElement("b");return g.textContent=l,f.append(a,g,s),i&&
f.append(" · ",xe(i,"source")),f})}function Xe(e,n){let t=document.createElement("button");return t.type="button",t.setAttribute(
"role","tab"),t.textContent=e,t.addEventListener("click",n),t}function te(e,n){let t=document.createElement("span"),r=document.
createElement("span");return r.className="key "+e,t.append(r,n),t}function Ye(e,n){let t=e.tree;if(t.change)return Je();
let r={user:"your code",dependency:"dependencies",std:"standard library",runtime:"runtime"},o=new Float64Array(V.length);
for(let l=1;l<t.n;l++)o[n.funcs[t.fn[l]][2]]+=t.self[l];let a=V.flatMap((l,s)=>o[s]>0?[te(l,r[l]+" "+j(e,o[s]))]:[]);return t.
fn.some(l=>e.marks.has(l))&&a.push(te("mark","frame of a finding")),a}function Qe(e,n,t){let r=new Set(e.tree.fn),o=new Map;
for(let a of n.marks??[]){if(!r.has(a.fn))continue;let l=o.get(a.finding)??{id:a.id,fns:new Set};l.fns.add(a.fn),o.set(a.
finding,l)}return[...o].sort(([a],[l])=>a-l).map(([a,{id:l,fns:s}])=>{let i=document.createElement("div"),f=document.createElement(
"a");return i.setAttribute("role","group"),i.setAttribute("aria-label",l+": "+n.findings[a]),f.href=(n.page??"")+"#findi\
ng-"+a,f.title=n.findings[a],f.textContent=l,i.append(f,...[...s].map(g=>{let u=document.createElement("button");return u.
type="button",u.title=n.funcs[g][0],u.textContent=U(n.funcs[g][0]),u.addEventListener("click",()=>t(g)),u})),i})}var vt=[0,.01,.05];function We(e){let n=t=>{let r=Float64Array.from(e.graph.self[t]);for(let[o,a]of e.graph.cut[t])r[o]+=
a;for(let o=e.n-1;o>0;o--)r[e.parent[o]]+=r[o];return r};e.sides=[n(0),n(1)],e.wholes=e.graph.wholes??[e.sides[0][0],e.sides[1][0]],
Ce(e)}function Ce(e){e.change=new Float64Array(e.n);let[n,t]=[e.sides,e.wholes],{diff:r,types:o}=e.graph,a=t[1]*o[1].scale;
for(let l=0;l<e.n;l++){let s=n[0][l]*o[0].scale-n[1][l]*o[1].scale,i=0;for(let f of[0,1])i+=r.sample[f]*n[f][l]*(1-n[f][l]/
t[f])*o[f].scale**2;Math.abs(s)>Math.max(2*Math.sqrt(Math.max(i,0)),r.noise*a)&&(e.change[l]=s/a)}}function ze(e){let n=0;
for(let t of vt)Math.abs(e)>t&&n++;return Math.sign(e)*n}function Ht(e){return(e>0?"+":"−")+$(Math.abs(e))}function Ke(e){
return e===0?"":(e>0?"▲":"▼")+$(Math.abs(e)).replace(" ","")+" "}function Le(e,n){let{types:t}=e.graph,r=e.sides[1][n]*
t[1].scale,o=e.sides[0][n]*t[0].scale,a=t[0].unit,l=o-r,s=e.wholes[1]*t[1].scale;return[K(r,a)+" "+t[1].name+", "+K(o,a)+
" "+t[0].name,e.change[n]===0?"no change beyond sampling error and noise":(l>0?"+":"")+K(l,a)+", "+Ht(l/s)+" of total "+
t[1].name]}function Je(){let e=["below 1 %","1 to 5 %","above 5 %"];return[...e.map((n,t)=>te("more"+(t+1),"▲ more, "+
n)),...e.map((n,t)=>te("less"+(t+1),"▼ less, "+n)),te("none","no change beyond sampling error and noise")]}function ge(e,n){return e.sides?e.sides.some(t=>t[n]>0):e.total[n]>0}function Dt(e){let n=new Set;for(let t=1;t<e.n;t++)
e.parent[t]>0&&ge(e,t)&&n.add(e.fn[e.parent[t]]);return n}function et(e){let{types:n}=e.graph,t=s=>{let{self:i,total:f}=ne(
e.sides?{...e,self:e.graph.self[s],total:e.sides[s]}:e),g=e.sides?n[s].scale:e.type.scale;return{flat:i.map(u=>u*g),cum:f.
map(u=>u*g)}},r=Dt(e),o=t(0),a=e.sides?t(1):null,l=[];return o.cum.forEach((s,i)=>{let f={fn:i,path:[i],calls:r.has(i),flat:o.
flat[i],cum:s};a&&Object.assign(f,{flatChange:f.flat-a.flat[i],cumChange:s-a.cum[i]}),(s>0||a&&a.cum[i]>0)&&l.push(f)}),
l}function Ze(e,n){let t=[];for(let r=n+1;r<e.end[n];r=e.end[r])ge(e,r)&&t.push(r);return t}function tt(e,n){let t=n.tree??
ue(e,n.fn),{types:r}=t.graph;return Ze(t,n.node??0).map(o=>{let a=i=>({flat:t.selves[i][o]*r[i].scale,cum:t.sides[i][o]*
r[i].scale}),l=t.sides?a(0):{flat:t.self[o]*t.type.scale,cum:t.total[o]*t.type.scale};if(t.sides){let i=a(1);Object.assign(
l,{flatChange:l.flat-i.flat,cumChange:l.cum-i.cum})}let s=t.fn[o];return{...l,fn:s,path:[...n.path,s],tree:t,node:o,calls:Ze(
t,o).length>0}})}function ke(e,n){let t=n==="flat"?"cum":"flat",r=(o,a)=>Math.abs(o[`${a}Change`]??o[a]);return e.sort((o,a)=>r(
a,n)-r(o,n)||r(a,t)-r(o,t)||o.fn-a.fn)}function It(e,n){return e===0?"0":(e>0?"+":"")+K(e,n)}function nt(e){let{unit:n}=e.
sides?e.graph.types[0]:e.type,t=(e.whole??e.total[0])*e.type.scale;return["flat","cum"].flatMap(r=>[[r,r==="flat"?"Flat":
"Cum",o=>K(o[r],n)],e.sides?["","change",o=>It(o[`${r}Change`],n)]:["","share",o=>$(t?o[r]/t:0)]])}function be(e,n){let t=[];for(let r=1;r<e.n;){if(e.fn[r]!==n){r++;continue}ge(e,r)&&t.push(r),r=e.end[r]}return t}function rt(e,n){
let t=e.sides??[],r={parent:[-1],fn:[n],self:[0],total:[0],line:[0],most:[0],sides:t.map(()=>[0]),selves:t.map(()=>[0])},
o=new Map,a=e.funcs;function l(i,f){let g=i*a+f,u=o.get(g);if(u===void 0){u=r.fn.length,o.set(g,u),r.parent.push(i),r.fn.
push(f),r.self.push(0),r.total.push(0),r.line.push(0),r.most.push(0);for(let w of[...r.sides,...r.selves])w.push(0)}return u}
function s(i,f,g=f){r.total[i]+=e.total[f],e.total[g]>r.most[i]&&(r.most[i]=e.total[g],r.line[i]=e.line[g]),r.sides.forEach(
(u,w)=>{u[i]+=t[w][f]})}return{nodes:r,step:l,add:s}}function ue(e,n){let{nodes:t,step:r,add:o}=rt(e,n),a=[0];for(let l of be(
e,n))for(let s=l;s<e.end[l];s++){let i=e.depth[s]-e.depth[l];i>0&&(a[i]=r(a[i-1],e.fn[s])),o(a[i],s),t.self[a[i]]+=e.self[s],
t.selves.forEach((f,g)=>{f[a[i]]+=e.graph.self[g][s]})}return st(e,t)}function ot(e,n){let{nodes:t,step:r,add:o}=rt(e,n);
for(let a of be(e,n)){let l=0;o(0,a);for(let s=e.parent[a];s>0;s=e.parent[s])l=r(l,e.fn[s]),o(l,a,s)}return st(e,t)}function st(e,n){
let t=n.fn.length,r=Array.from({length:t},()=>[]);for(let s=1;s<t;s++)r[n.parent[s]].push(s);let o={n:t,graph:e.graph,type:e.
type,whole:e.whole??e.total[0],funcs:e.funcs,fn:new Int32Array(t),line:new Int32Array(t),depth:new Int32Array(t),parent:new Int32Array(
t),end:new Int32Array(t),self:new Float64Array(t),total:new Float64Array(t),x:new Float64Array(t)};e.sides&&(o.sides=e.sides.
map(()=>new Float64Array(t)),o.selves=e.sides.map(()=>new Float64Array(t)),o.wholes=e.wholes);let a=[[0,-1,0,0]],l=0;for(;a.
length;){let[s,i,f,g]=a.pop(),u=l++;o.fn[u]=n.fn[s],o.parent[u]=i,o.depth[u]=f,o.x[u]=g,o.self[u]=n.self[s],o.total[u]=n.
total[s],o.line[u]=n.line[s],o.sides?.forEach((S,y)=>{S[u]=n.sides[y][s]}),o.selves?.forEach((S,y)=>{S[u]=n.selves[y][s]});
let w=r[s].sort((S,y)=>n.total[y]-n.total[S]||n.fn[S]-n.fn[y]),E=g;for(let S of w)E+=n.total[S];for(let S of w.reverse())
E-=n.total[S],a.push([S,u,f+1,E])}return we(o),o.sides&&Ce(o),o}function ne(e){let n=new Float64Array(e.funcs),t=new Float64Array(
e.funcs),r=new Int32Array(e.funcs),o=[];for(let a=1;a<e.n;a++){for(;o.length>=e.depth[a];)r[o.pop()]--;let l=e.fn[a];n[l]+=
e.self[a],r[l]===0&&(t[l]+=e.total[a]),r[l]++,o.push(l)}return{self:n,total:t}}function Fe(e,n=e.keys()){let t=-1;for(let r of n)
e[r]>(t<0?0:e[t])&&(t=r);return t}function at(e,n){let t=n.toLowerCase().split("|").map(l=>l.trim()).filter(Boolean);if(!t.length)return null;let r=l=>t.some(
s=>l.includes(s)),o=(e.files??[]).map(l=>r(l.toLowerCase())),a=new Set;return e.funcs.forEach(([l,s],i)=>{(r(l.toLowerCase())||
o[s])&&a.add(i)}),a}function Nt(e,n){let t=new Uint8Array(e.n);for(let r=1;r<e.n;r++)t[r]=t[e.parent[r]]||n.has(e.fn[r])?
1:0;return t}function lt(e,{focus:n,ignore:t,from:r}){let[o,a,l]=[n,t,r].map(g=>g&&Nt(e,g)),s=g=>(!o||o[g])&&!(a&&a[g])&&
(!l||l[g]),i=(g,u)=>g.reduce((w,E)=>w+E,0)+e.graph.cut[u].reduce((w,[,E])=>w+E,0),f={...e.graph,wholes:e.graph.self.map(
i),lines:{fn:[],line:[],self:[],total:[]},self:e.graph.self.map(g=>g.map((u,w)=>s(w)?u:0)),cut:e.graph.cut.map(g=>g.filter(
([u])=>s(u)))};return pe(l?Ot(e,f,l):f,e.funcs)}function Ot(e,n,t){let r=[{depth:0,children:new Map}],o=new Int32Array(e.
n);for(let s=1;s<e.n;s++){if(!t[s])continue;let i=r[o[e.parent[s]]];i.children.has(e.fn[s])||(i.children.set(e.fn[s],r.length),
r.push({fn:e.fn[s],line:e.line[s],depth:i.depth+1,children:new Map})),o[s]=i.children.get(e.fn[s])}let a=s=>{let i=new Array(
r.length).fill(0);return s.forEach((f,g)=>{i[o[g]]+=f}),i},l=n.cut.map(s=>s.map(([i,f])=>[o[i],f]));return Bt({...n,self:n.
self.map(a),cut:l},r)}function Bt(e,n){let t=[...e.self[e.default]];for(let[s,i]of e.cut[e.default])t[s]+=i;for(let s=n.
length-1;s>=0;s--)for(let i of n[s].children.values())t[s]+=t[i];let r=[],o=[0];for(;o.length;){let s=o.pop();r.push(s);
for(let i of[...n[s].children.values()].sort((f,g)=>t[f]-t[g]))o.push(i)}let a=new Int32Array(n.length);r.forEach((s,i)=>{
a[s]=i});let l=r.slice(1);return{...e,fn:l.map(s=>n[s].fn),line:l.map(s=>n[s].line),up:l.map((s,i)=>n[r[i]].depth+1-n[s].
depth),self:e.self.map(s=>r.map(i=>s[i])),cut:e.cut.map(s=>s.map(([i,f])=>[a[i],f]))}}function Re(e,n){if(e.hashes)return e.
hashes;let t=ve(n);e.hashes=new Uint32Array(e.n);for(let r=1;r<e.n;r++)e.hashes[r]=He(e.hashes[e.parent[r]],t[e.fn[r]],e.
depth[r]);return e.hashes}function ve(e){return e.hashes??=e.funcs.map(([n])=>{let t=2166136261;for(let r=0;r<n.length;r++)
t=Math.imul(t^n.charCodeAt(r),16777619);return t}),e.hashes}function He(e,n,t){return Math.imul(e^e>>>15^n,739982445)+t}
function De(e,n,t){return t?Math.max(Re(e,n).indexOf(t),0):0}function Pt(e,n,t){let r=e.graph.lines,o=[];if(r.fn?.forEach((s,i)=>{s===t&&o.push({line:r.line[i],self:r.self[n][i],total:r.
total[n][i]})}),o.length)return{rows:o,exact:!0};let a=new Map,l=s=>(a.has(s)||a.set(s,{line:s,self:0,total:0}),a.get(s));
for(let s of be(e,t))l(e.line[s]).total+=e.total[s];for(let s=1;s<e.n;s++)e.fn[s]===t&&(l(e.line[s]).self+=e.self[s]);return{
rows:[...a.values()].sort((s,i)=>s.line-i.line),exact:!1}}function N(e,n,t){let r=document.createElement(e);return r.append(
n),t&&(r.className=t),r}function zt(e){let n="http://www.w3.org/2000/svg",t=document.createElementNS(n,"svg");t.setAttribute(
"class","share"),t.setAttribute("viewBox","0 0 100 6"),t.setAttribute("preserveAspectRatio","none"),t.setAttribute("aria\
-hidden","true");for(let[r,o]of[["track",100],["fill",Math.min(100*e,100)]]){let a=document.createElementNS(n,"rect");a.
setAttribute("class",r),a.setAttribute("width",String(o)),a.setAttribute("height","6"),t.append(a)}return t}function it(e,n,t,r){
let o=e.tree,{rows:a,exact:l}=Pt(o,t,r),s=document.createElement("table"),i=document.createElement("tr");for(let[w,E]of[
["Line","num"],["Self","num"],["Share","num"],["With callees","num"],["Share","num"],["",""]]){let S=N(w?"th":"td",w,E);
w&&(S.scope="col"),i.append(S)}let f=document.createElement("tbody"),g=o.whole??o.total[0];for(let w of a){let E=document.
createElement("tr"),S=Te(n,r,w.line),y=N("th",S?xe(S,String(w.line)):w.line?String(w.line):"–","num");y.scope="row",E.
append(y,N("td",Q(e,w.self),"num"),N("td",j(e,w.self),"num"),N("td",Q(e,w.total),"num"),N("td",j(e,w.total),"num"),N("td",
zt(g?w.total/g:0),"barcell")),f.append(E)}if(s.append(N("thead",i),f),l)return[s];let u=N("p","The page has every line o\
nly for the heaviest functions. In this function, each frame counts at its heaviest line.","note");return[s,u]}var fe=(()=>{let e={width:0,height:0,top:0,match:null,marks:new Map},n=[],t=[],r=[],o,a,l,s,i,f,g,u=0,w=0,E="graph",S=-1,
y=[],T=0,D=null,F=()=>{};function C(c){return a.querySelector(c)}function z(c,m={}){return{tree:c,zoom:0,base:0,dir:1,from:0,
hover:-1,selected:-1,...m}}function W(c=T){return{...e,...y[c]}}function R(){performance.clearMeasures("flame");let c=performance.
now();if(e.width=l.clientWidth,!e.width)return;let m=Be(y,e.width)*v,h=parseFloat(getComputedStyle(l).maxHeight)||m;e.height=
Math.min(m,h),C(".spacer").style.height=m-e.height+"px",e.top=Math.min(l.scrollTop,m-e.height);let b=devicePixelRatio||1,
[L,se]=[Math.round(e.width*b),Math.round(e.height*b)];(s.width!==L||s.height!==se)&&(s.width=L,s.height=se,s.style.width=
e.width+"px",s.style.height=e.height+"px"),i.setTransform(b,0,0,b,0,0),i.clearRect(0,0,e.width,e.height),y.forEach((Vt,Et)=>Pe(
i,W(Et),o)),performance.measure("flame",{start:c,end:performance.now()})}function B(){g.replaceChildren(..._e(W(),o)),E===
"lines"&&S>=0&&C(".lines").replaceChildren(...it(M(),o,w,S))}function P(c){y[0].zoom=c,R(),B(),F(!0)}function O(c,m){for(let L of y)
L.selected=-1;T=c;let h=y[c];h.selected=m;let b=h.base+h.dir*h.tree.depth[m]*v;(b<l.scrollTop||b+v>l.scrollTop+e.height)&&
(l.scrollTop=b-e.height/2),R(),B(),F(!1)}function re(c){e.match=at(o,c),E!=="graph"&&x(),R(),B(),F(!1)}function J(){for(let c of y)
c.selected=-1;y[0].zoom=0,T=0,C("input").value="",l.scrollTop=0,F(!0),re("")}function oe(c){w=c;let m=n[u];if(Ee(m,c),E===
"graph"){let h=y[0];for(;h.zoom>0&&m.total[h.zoom]===0;)h.zoom=m.parent[h.zoom]}else p(S);C(".types select").value=String(
c),C(".legend").replaceChildren(...Ye({...e,tree:m},o)),R(),B(),F(!0)}function G(c){u=c;let m=o.graphs[c];t[c]??=pe(m,o.
funcs.length),n[c]??=D?lt(t[c],D):t[c],r.length=0,y=[z(n[c])],T=0,l.scrollTop=0,a.querySelectorAll(".tabs button").forEach(
(b,L)=>{b.setAttribute("aria-selected",String(L===c)),b.tabIndex=L===c?0:-1}),C(".types select").replaceChildren(...m.types.
map((b,L)=>new Option(b.name,String(L),!1,L===m.default))),C(".types").hidden=m.types.length<2,C(".marks").replaceChildren(
...Qe(W(),o,A)),Ee(n[c],m.default),E!=="graph"&&(S=me()),oe(m.default)}function me(){let{self:c,total:m}=ne(n[u]);return S>=
0&&m[S]>0?S:Math.max(Fe(c),0)}function _(c){let m=y[T];m.selected>=0&&m.tree.fn[m.selected]>=0&&(S=m.tree.fn[m.selected]),
E=c,r.length=0;for(let h of a.querySelectorAll(".modes button"))h.setAttribute("aria-pressed",String(h.dataset.mode===E));
a.dataset.mode=E,C(".function").hidden=E==="graph",C(".lines").hidden=E!=="lines",l.hidden=E==="lines",C(".legend").hidden=
E==="lines",l.scrollTop=0,E==="graph"?(y=[z(n[u])],T=0):p(me()),R(),B(),F(!0)}function p(c){S=c;let m=n[u];T=0,y=E==="sa\
ndwich"?[z(ue(m,c),{selected:0}),z(ot(m,c),{dir:-1,from:1})]:[z(ue(m,c),{selected:0})],x(),E==="sandwich"&&(e.width=l.clientWidth,
R(),l.scrollTop=Math.max(0,y[0].base-e.height/2))}function d(c){c<0||c===S||(r.push(S),p(c),R(),B(),F(!0))}function x(){
let{self:c,total:m}=ne(n[u]),h=[...m.keys()].filter(L=>m[L]>0&&(!e.match||e.match.has(L))).sort((L,se)=>m[se]-m[L]||c[se]-
c[L]).slice(0,300);h.includes(S)||h.unshift(S);let b=L=>j(M(),m[L])+"  "+U(o.funcs[L][0]);C(".function select").replaceChildren(
...h.map(L=>new Option(b(L),String(L),!1,L===S)))}function M(){return{...e,tree:n[u]}}function A(...c){if(E!=="graph"){d(
c.at(-1));return}let m=n[u],h=qe(m,c);if(h<0)return;let b=h;for(;b>0&&m.total[h]/m.total[b]>.12;)b=m.parent[b];y[0].zoom=
b,R(),F(!0),O(0,h)}function k(){let{tree:c,zoom:m,selected:h}=y[0],b=h<0?m:h;return{ArrowDown:()=>O(0,h<0?m:de(c,b)),ArrowUp:()=>{
c.parent[b]<0||(b===m&&P(c.parent[b]),O(0,c.parent[b]))},ArrowLeft:()=>{b!==m&&O(0,le(c,b,-1))},ArrowRight:()=>{b!==m&&O(
0,le(c,b,1))},Enter:()=>P(b),Escape:()=>{m>0?P(c.parent[m]):J()},Home:J}}function H(){let{tree:c,selected:m}=y[T],h=Math.
max(m,0),b=()=>O(T,de(c,h)),L=()=>O(c.parent[h]>0?T:0,Math.max(c.parent[h],0));return{ArrowDown:T===0?b:L,ArrowUp:()=>{T===
1?b():h>0?L():y[1].tree.n>1&&O(1,de(y[1].tree,0))},ArrowLeft:()=>O(T,le(c,h,-1)),ArrowRight:()=>O(T,le(c,h,1)),Enter:()=>d(
c.fn[h]),Escape:()=>Z(),Home:()=>O(0,0)}}function Z(){r.length?(p(r.pop()),R(),B(),F(!0)):_("graph")}function ee(c){let m=E===
"graph"?k():H();!m[c.key]||c.ctrlKey||c.metaKey||c.altKey||(c.preventDefault(),m[c.key]())}function ut(){s.addEventListener(
"pointermove",c=>{let[m,h]=ye(y,e,c.offsetX,c.offsetY);y.some((b,L)=>b.hover!==(L===m?h:-1))&&(y.forEach((b,L)=>{b.hover=
L===m?h:-1}),R()),c.pointerType==="mouse"&&Ae(f,h<0?null:Me(W(m),o,h),c.clientX,c.clientY)}),s.addEventListener("pointer\
leave",()=>{for(let c of y)c.hover=-1;Ae(f,null),R()}),s.addEventListener("click",c=>{let[m,h]=ye(y,e,c.offsetX,c.offsetY);
if(!(h<0)){if(E==="sandwich"){d(y[m].tree.fn[h]);return}y[0].selected=h,P(h)}})}function ft(){let c=C(".tabs");c.replaceChildren(
...o.graphs.map((m,h)=>Xe(m.title,()=>G(h)))),c.addEventListener("keydown",m=>{let h={ArrowRight:1,ArrowLeft:-1}[m.key];
h&&(G((u+h+o.graphs.length)%o.graphs.length),c.children[u].focus())})}function mt(c,m){if(a=document.getElementById("fla\
me"),!(!a||!c.graphs?.length)){o=c,l=C(".stage"),s=l.querySelector("canvas"),i=s.getContext("2d"),f=C(".tip"),g=C(".stat\
us");for(let h of o.marks??[]){let b=e.marks.get(h.fn)??[];e.marks.set(h.fn,b.includes(h.id)?b:[...b,h.id])}ft(),ut(),l.
addEventListener("keydown",ee),l.addEventListener("scroll",R);for(let h of a.querySelectorAll(".modes button"))h.addEventListener(
"click",()=>_(h.dataset.mode));C(".types select").addEventListener("change",h=>oe(Number(h.target.value))),C(".function \
select").addEventListener("change",h=>d(Number(h.target.value))),C("input").addEventListener("input",h=>re(h.target.value)),
C("input").addEventListener("keydown",pt),C(".reset").addEventListener("click",J),G(o.marks?.[0]?.graph??0),m&&(F=m),new ResizeObserver(
R).observe(a),I.onChange(R)}}function pt(c){if(c.key!=="Enter"||!e.match?.size)return;let{total:m}=ne(n[u]),h=Fe(m,e.match);
h>=0&&A(h)}function dt(c){let m=o.marks[c];E!=="graph"&&_("graph"),u!==m.graph&&G(m.graph),A(m.fn),a.scrollIntoView({block:"\
start"}),l.focus({preventScroll:!0})}function ht(c){u!==c&&G(c),l.focus({preventScroll:!0})}function gt(){let{zoom:c,selected:m}=y[0],
h=b=>E==="graph"&&b>0?Re(n[u],o)[b]:0;return{graph:u,type:o.graphs[u].types[w].name,view:E,zoom:h(c),at:h(m),fn:E==="gra\
ph"?"":o.funcs[S]?.[0]??"",find:C("input").value}}function bt(c){let m=F;F=()=>{},D=c.filter,n.length=0,G(Math.min(c.graph,
o.graphs.length-1)),E!=="graph"&&_("graph");let h=o.graphs[u].types.findIndex(b=>b.name===c.type);if(h>=0&&h!==w&&oe(h),
C("input").value=c.find,re(c.find),c.view==="sandwich"||c.view==="lines")S=o.funcs.findIndex(([b])=>b===c.fn),_(c.view);else{
y[0].zoom=De(n[u],o,c.zoom),R();let b=De(n[u],o,c.at);b>0?O(0,b):B()}F=m}function yt(){return{tree:n[u],column:w,match:e.
match}}function wt(){let c=y[T];return c.selected>0||E!=="graph"&&c.selected===0?Y(W(),o,c.selected):""}return{start:mt,
showMark:dt,showGraph:ht,reset:J,state:gt,restore:bt,shownFunctions:yt,selectedName:wt,jump:A,keys:ee}})();var Kt=50;function jt(e,n,t,{shown:r,show:o,changed:a}){let l=new Set,s=new WeakMap,i="flat",f=30,g=[],u,w;function E(){
let p=r(),d=[p.tree,p.column,p.match,i,f];if(d.every((k,H)=>k===g[H]))return;g=d,u=p.tree,w=nt(u);let x=s.get(B(document.
activeElement))?.key,M=ke(et(u).filter(k=>!p.match||p.match.has(k.fn)),i);e.replaceChildren(...M.length?S(M):[N("p","No \
function matches.","empty")]);let A=R();A.length&&(A[0].tabIndex=0),x!==void 0&&P(A.find(k=>s.get(k).key===x)??A[0])}function S(p){
let d=q("table","treegrid","cards functions");d.setAttribute("aria-label","Functions"),d.setAttribute("aria-describedby",
"functions-how");let x=q("thead","rowgroup");x.append(y());let M=q("tbody","rowgroup");if(M.append(...p.slice(0,f).flatMap(
(k,H)=>T(k,H,p.length))),d.append(x,M),p.length<=f)return[d];let A=N("button","Show more: "+ce(p.length-f)+" functions a\
re left","quiet more");return A.type="button",A.addEventListener("click",()=>{let k=f;f+=200,a(!1),P(R().filter(H=>H.ariaLevel===
"1")[k])}),[d,A]}function y(){let p=q("tr","row"),d=q("th","columnheader");return d.scope="col",d.append("Function"),p.append(
d,...w.map(([x,M])=>{let A=q("th","columnheader","num");if(A.scope="col",!x)return A.append(M),A;let k=N("button",M+(x===
i?" ▾":""),"link");return k.type="button",k.dataset.sort=x,k.addEventListener("click",()=>{i=x,a(!0),e.querySelector("\
[data-sort="+x+"]")?.focus()}),x===i&&A.setAttribute("aria-sort","descending"),A.append(k),A})),p}function T(p,d,x){p.key=
qt(t,p.path);let M=q("tr","row");return s.set(M,p),M.tabIndex=-1,M.setAttribute("aria-level",String(p.path.length)),M.setAttribute(
"aria-posinset",String(d+1)),M.setAttribute("aria-setsize",String(x)),p.calls&&M.setAttribute("aria-expanded",String(l.has(
p.key))),M.append(F(M,p),...w.map(([A,k,H],Z)=>{let ee=q("td","gridcell","num");return ee.append(H(p)),ee.dataset.label=
A?k.toLowerCase():w[Z-1][1].toLowerCase()+" "+k,ee})),p.calls&&l.has(p.key)?[M,...D(p)]:[M]}function D(p){let d=ke(tt(u,
p),i);return d.flatMap((x,M)=>T(x,M,d.length))}function F(p,d){let x=q("th","rowheader");x.scope="row";let M=N("span",d.
calls?l.has(d.key)?"▾":"▸":"","twist");M.setAttribute("aria-hidden","true"),M.addEventListener("click",()=>{d.calls&&
O(p)});let A=N("button",t.funcs[d.fn][0],"link symbol");A.type="button",A.tabIndex=-1,A.addEventListener("click",()=>o(d.
path));let k=N("div",A);k.append(N("span",[...C(d.fn),...z(d.fn)].join(" · "),"sub"));let H=N("div",M,"tree");return H.
style.setProperty("--above",String(d.path.length-1)),H.append(k),x.append(H),x}function C(p){let[,d,x]=t.funcs[p];return[
V[x],...d<0?[]:[t.files[d].split("/").slice(-2).join("/")]]}function z(p){return[...new Set((t.marks??[]).filter(d=>d.fn===
p).map(d=>d.id))]}function W(p,d){let x=w.map(([,,H])=>H(d)),M=d.path.slice(0,-1).map(H=>U(t.funcs[H][0])).reverse(),A=z(
d.fn),k=d.calls?p.ariaExpanded==="true"?"What it calls is open":"Right shows what it calls":"It calls nothing that was c\
ounted";return[t.funcs[d.fn][0]+(M.length?", called by "+M.join(", by "):""),[["itself",0],["with what it calls",2]].map(
([H,Z])=>x[Z]+" "+H+", "+x[Z+1]+(u.sides?" against the base":" of all")).join("; "),"In "+[Se[V[t.funcs[d.fn][2]]],...C(
d.fn).slice(1)].join(", "),...A.length?["A place of "+A.join(", ")]:[],k].join(". ")+"."}function R(){return[...e.querySelectorAll(
"tbody tr")]}function B(p){return p&&e.contains(p)?p.closest("tbody tr"):null}function P(p){p?.focus()}function O(p){let d=s.
get(p),x=!l.delete(d.key);if(x)l.add(d.key),p.after(...D(d));else for(;Number(p.nextElementSibling?.ariaLevel)>d.path.length;)
p.nextElementSibling.remove();p.setAttribute("aria-expanded",String(x)),p.querySelector(".twist").textContent=x?"▾":"▸",
B(document.activeElement)===p?n.textContent=W(p,d):e.querySelector('tbody tr[tabindex="0"]')||(p.tabIndex=0),a(!1)}function re(p){
let d=p.previousElementSibling;for(;d&&Number(d.ariaLevel)>=Number(p.ariaLevel);)d=d.previousElementSibling;return d}function J(p){
let d=B(p.target);if(!d||p.ctrlKey||p.metaKey||p.altKey)return;let x=d.ariaExpanded,M={ArrowDown:()=>P(d.nextElementSibling),
ArrowUp:()=>P(d.previousElementSibling),ArrowRight:()=>{x==="true"?P(d.nextElementSibling):x&&O(d)},ArrowLeft:()=>{x==="\
true"?O(d):P(re(d))},Home:()=>P(R()[0]),End:()=>P(R().at(-1)),Enter:()=>o(s.get(d).path)}[p.key];M&&(p.preventDefault(),
p.stopPropagation(),M())}function oe(p){let d=B(p.target);if(!d)return;for(let M of e.querySelectorAll('tbody tr[tabinde\
x="0"]'))M.tabIndex=-1;d.tabIndex=0;let x=W(d,s.get(d));n.textContent!==x&&(n.textContent=x)}e.addEventListener("keydown",
J),e.addEventListener("focusin",oe);function G(){return{sort:i,open:[...l].slice(-Kt).map(p=>p.toString(16)).join(".")}}
function me({sort:p,open:d}){i=p==="cum"?"cum":"flat",l.clear();for(let x of d.split("."))x&&l.add(Number.parseInt(x,16));
g=[]}function _(){let p=s.get(B(document.activeElement));return p?t.funcs[p.fn][0]:""}return{refresh:E,state:G,restore:me,
focusedName:_}}function q(e,n,t){let r=document.createElement(e);return r.setAttribute("role",n),t&&(r.className=t),r}function qt(e,n){
let t=ve(e);return n.reduce((r,o,a)=>He(r,t[o],a+1),0)>>>0}function Wt(e){let n=document.querySelector(".stage");fe.jump(
...e),n.scrollIntoView({block:"center"}),n.focus({preventScroll:!0})}function ct(e){let n=document.getElementById("funct\
ions");if(!n){fe.start(e);return}let t,r=()=>{n.open&&t.refresh()};t=jt(document.getElementById("function-table"),document.
getElementById("row-said"),e,{shown:fe.shownFunctions,show:Wt,changed:r}),fe.start(e,r),n.addEventListener("toggle",r)}document.documentElement.classList.add("js");I.start();var Gt=JSON.parse(document.getElementById("data").textContent);ct(
Gt.flame);Ie();})();

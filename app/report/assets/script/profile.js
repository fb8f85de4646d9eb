// Made of app/report/web/profile.ts by `make web`.
"use strict";(()=>{function Ve(){for(let e of document.querySelectorAll("[data-copy]"))e.addEventListener("click",async()=>{let t=document.
getElementById(e.dataset.copy);try{await navigator.clipboard.writeText(t.textContent),e.textContent="Copied"}catch{getSelection().
selectAllChildren(t),e.textContent="Selected"}})}var I=(()=>{let e=document.documentElement,t=matchMedia("(prefers-color-scheme: dark)"),n=[],r=document.createElement("s\
pan");r.hidden=!0,document.body.append(r);let o="",s=!1,l=()=>!s&&(o?o==="dark":t.matches);function a(){e.style.colorScheme=
s?"light":o;let u=document.getElementById("theme");u.textContent=l()?"Light":"Dark";for(let w of n)w()}function i(){document.
getElementById("theme").addEventListener("click",()=>{o=l()?"light":"dark",a()}),t.addEventListener("change",a),addEventListener(
"beforeprint",()=>{s=!0,a()}),addEventListener("afterprint",()=>{s=!1,a()}),a()}function f(u){return r.style.color="var(\
--"+u+")",getComputedStyle(r).color}function g(u){return getComputedStyle(e).getPropertyValue("--"+u).trim()}return{start:i,
color:f,font:g,onChange:u=>n.push(u)}})();var _=["user","dependency","std","runtime"],R=19,$e=.5,fe=4;function Kt(){return{owner:_.map(e=>I.color("f-"+e)),text:I.
color("f-text"),rest:I.color("f-rest"),match:I.color("f-match"),mark:I.color("f-mark"),markText:I.color("f-mark-text"),more:[
1,2,3].map(e=>I.color("f-more"+e)),less:[1,2,3].map(e=>I.color("f-less"+e)),none:I.color("f-none"),ground:I.color("raise\
d"),focus:I.color("text"),muted:I.color("muted")}}function $(e){let t=e.search(/[[(]/);return e.slice(e.lastIndexOf("/",
t<0?e.length:t)+1)}function jt(e,t,n){let r=e.depth[t];for(let o=t;o<e.end[t];){if(e.total[o]*n<$e){o=e.end[o];continue}
e.depth[o]>r&&(r=e.depth[o]),o++}return r+1}function Qe(e,t){let n=e.map(({tree:o,zoom:s})=>jt(o,s,o.total[s]>0?t/o.total[s]:
0));if(e.length===1)return Math.max(n[0],3);let r=n[1]-1;for(let o of e)o.base=r*R;return Math.max(r+n[0],3)}function Le(e,t,n,r){
let o=Math.floor((r+t.top-e[0].base)/R),s=o<0?1:0,{tree:l,zoom:a}=e[s],i=Math.abs(o);if(i<l.depth[a]){let g=a;for(;g>=0&&
l.depth[g]>i;)g=l.parent[g];return[s,g]}let f=l.x[a]+n/t.width*l.total[a];for(let g=a;g<l.end[a];){if(f<l.x[g]||f>=l.x[g]+
l.total[g]){g=l.end[g];continue}if(l.depth[g]===i)return[s,g];g++}return[s,-1]}function Xe(e,t,n){let{tree:r,zoom:o,width:s,
height:l,top:a,base:i,dir:f,from:g}=t,u=Kt(),w=r.total[o]>0?s/r.total[o]:0,E=new Float64Array(4096).fill(-1);e.font="11.\
5px "+I.font("mono"),e.textBaseline="middle";let S=e.measureText("m").width,y={ctx:e,c:u,glyph:S,view:t,data:n,t:r};for(let T=r.
parent[o];T>=0;T=r.parent[T])_e(y,T,0,r.depth[T]*R-a,s,!0);for(let T=o;T<r.end[o];){let D=i+f*r.depth[T]*R-a,v=r.total[T]*
w;if((f>0?D>l:D<-R)||v===0){T=r.end[T];continue}if(r.depth[T]<g){T++;continue}let k=(r.x[T]-r.x[o])*w;if(v<$e){let q=Math.
floor(k);D>-R&&D<l&&E[r.depth[T]]<q&&(e.fillStyle=u.rest,e.fillRect(q,D,1,R-1),E[r.depth[T]]=q),T=r.end[T];continue}D>-R&&
D<l&&_e(y,T,k,D,v,!1),T++}}function Wt(e,t,n,r){if(!t.change)return r<0?e.rest:e.owner[r];let o=Ye(t.change[n]);return o>
0?e.more[o-1]:o<0?e.less[-o-1]:e.none}function _e({ctx:e,c:t,glyph:n,view:r,data:o,t:s},l,a,i,f,g){let u=s.fn[l],w=u<0?-1:
o.funcs[u][2],E=r.match&&u>=0&&r.match.has(u),S=g||r.match&&!E;e.globalAlpha=S?.4:s.change?1:[1,.86,.93][u<0?0:u%3],e.fillStyle=
E?t.match:Wt(t,s,l,w);let y=f>3?1:0;e.fillRect(a,i,f-y,R-1),E&&(e.fillStyle=t.text,e.fillRect(a,i+R-3,f-y,2)),e.globalAlpha=
g?.75:1;let T=a+fe,D=u<0?void 0:r.marks.get(u);D&&(T=Gt(e,t,D,a,i,f-y,n));let v=s.change?Je(s.change[l]):"";Ut(e,v+(u<0?
"all":$(o.funcs[u][0])),t.text,T,i,a+f-fe,n),e.globalAlpha=1,(l===r.selected||l===r.hover)&&(e.strokeStyle=t.focus,e.lineWidth=
l===r.selected?2:1,e.strokeRect(a+1,i+1,Math.max(f-y-2,1),R-3))}function Gt(e,t,n,r,o,s,l){if(e.fillStyle=t.mark,s<5)return e.
fillRect(r,o,s,R-1),r+fe;e.strokeStyle=t.mark,e.lineWidth=2,e.strokeRect(r+1,o+1,s-2,R-3);let a=n.join(" "),i=a.length*l+
8;return i>s?r+fe:(e.fillRect(r,o,i,R-1),e.fillStyle=t.markText,e.fillText(a,r+4,o+R/2),r+i+fe)}function Ut(e,t,n,r,o,s,l){
let a=Math.floor((s-Math.max(r,0))/l);a<2||(e.fillStyle=n,e.fillText(t.length<=a?t:t.slice(0,a-1)+"…",Math.max(r,0),o+
R/2))}function we(e,t){let n=(e.fn??[]).length+1,r={n,graph:e,funcs:t,fn:new Int32Array(n),line:new Int32Array(n),depth:new Int32Array(
n),parent:new Int32Array(n),end:new Int32Array(n),self:new Float64Array(n),total:new Float64Array(n),x:new Float64Array(
n)};r.fn[0]=-1,r.parent[0]=-1;for(let o=1;o<n;o++){r.fn[o]=e.fn[o-1],r.line[o]=e.line[o-1];let s=o-1;for(let l=e.up[o-1];l>
0;l--)s=r.parent[s];r.parent[o]=s,r.depth[o]=r.depth[s]+1}return ke(r),r}function ke(e){for(let t=e.n-1;t>=0;t--)e.end[t]=
Math.max(e.end[t],t+1),t>0&&(e.end[e.parent[t]]=Math.max(e.end[e.parent[t]],e.end[t]))}function Ce(e,t){let{self:n,total:r,
x:o,parent:s,n:l}=e;n.set(e.graph.self[t]),r.set(e.graph.self[t]);for(let[i,f]of e.graph.cut[t])r[i]+=f;for(let i=l-1;i>
0;i--)r[s[i]]+=r[i];let a=new Float64Array(l);for(let i=1;i<l;i++){let f=s[i];o[i]=o[f]+a[f],a[f]+=r[i]}e.type=e.graph.types[t],
e.whole=e.graph.wholes?.[t],e.graph.diff&&!e.change&&tt(e)}function Ze(e,t){let n=0,r=0,o=0;for(let s=1;s<e.n;s++)t(e.fn[s])&&
(e.total[s]>0&&n++,s>=o&&(r+=e.total[s],o=e.end[s]));return{frames:n,sum:r}}function et(e,t){let n=t.length-1,r=-1;for(let o=1;o<
e.n;o++){if(e.fn[o]!==t[n]||r>=0&&e.total[o]<=e.total[r])continue;let s=n;for(let l=e.parent[o];s>0&&l>0&&e.fn[l]===t[s-
1];l=e.parent[l])s--;s===0&&(r=o)}return r}function me(e,t,n){let r=e.parent[t];if(r<0)return t;let o=t,s=!1;for(let l=r+
1;l<e.end[r];l=e.end[l])if(e.total[l]!==0){if(n>0&&s)return l;if(l===t){if(n<0)return o;s=!0}o=l}return t}function Ee(e,t){
let n=t;for(let r=t+1;r<e.end[t];r=e.end[r])e.total[r]>0&&(n===t||e.total[r]>e.total[n])&&(n=r);return n}var nt=[[1099511627776," TiB",1],[1073741824," GiB",1],[1048576," MiB",1],[1024," KiB",1],[1," B",0]],Vt=[[86400," days",
2],[3600," h",2],[60," min",10],[1," s",1],[.001," ms",1],[1e-6," µs",1],[1e-9," ns",0]],_t=[[1e12," T",1],[1e9," G",1],
[1e6," M",1],[1e3," k",0]];function ot(e){return Number(e.toPrecision(3))}function rt(e){return e.replace(/\.?0+(e|$)/,"\
$1")}function Y(e){if(e<0)return"−"+Y(-e);if(e===0)return"0";if(e<5e-7)return"<0.000001";if(e>=1e15)return rt(e.toExponential(
2));if(e>=99.95)return e.toFixed(0).replace(/\B(?=(\d{3})+$)/g,",");let t=2-Math.floor(Math.log10(ot(e))+1e-9),n=e.toFixed(
Math.min(t,6));return n.includes(".")?rt(n):n}function $t(e){return Math.abs(e)<1?Number(e.toPrecision(2)):Math.round(10*
e)/10}function pe(e,t){if(e<0)return"−"+pe(-e,t);for(let[n,r,o]of t)if(e>0?ot(e/n)>=o:n===1)return Y(e/n)+r;return Y(e)}
function Te(e){return e<0?"−"+Te(-e):Math.round(e)<1e4?Y(e):pe(e,_t)}function Qt(e,t){switch(t){case"bytes":return pe(
e,nt);case"bytes/s":return pe(e,nt)+"/s";case"seconds":return pe(e,Vt);case"share":return Y($t(100*e))+" %";case"cores":
return Y(e)==="1"?"1 core":Y(e)+" cores";case"1/s":return Te(e)+"/s";case"count":case"":return Te(e)}return Te(e)+" "+t}
function K(e,t){return e==null||!Number.isFinite(e)?"–":Qt(e,t).replaceAll(" "," ")}function de(e){return K(e,"count")}
function Q(e){return K(e,"share")}function J({tree:e},t,n){return e.fn[n]<0?"all":t.funcs[e.fn[n]][0]}function Xt({tree:e},t,n){let r=e.fn[n]<0?-1:t.funcs[e.
fn[n]][1];return r<0?"":t.files[r]+(e.line[n]?":"+e.line[n]:"")}function Z({tree:e},t){return K(t*e.type.scale,e.type.unit)}
function W({tree:e},t){let n=e.whole??e.total[0];return Q(n?t/n:0)}function ve(e,t,n){let[r,o]=e.links?.[e.funcs[t]?.[1]]??
[-1,""];return r<0?"":e.folders[r]+o.replace("{}",String(Math.max(n,1)))}function Fe(e,t){let n=document.createElement("\
a");return n.href=e,n.rel="noopener noreferrer",n.textContent=t,n}var Re={user:"your code",dependency:"a dependency",std:"\
the standard library",runtime:"the runtime"};function st(e,t,n){let r=e.tree.fn[n];return r<0?"":[Re[_[t.funcs[r][2]]],Xt(
e,t,n)].filter(Boolean).join(" · ")}function He(e,t,n){let r=e.tree,o=r.change?[J(e,t,n),st(e,t,n),...Ie(r,n)]:[J(e,t,n),
st(e,t,n),Z(e,r.total[n])+" total, "+W(e,r.total[n])+" · "+Z(e,r.self[n])+" self, "+W(e,r.self[n])],s=r.parent[n];s>0&&
r.total[s]>0&&o.push(Q(r.total[n]/r.total[s])+" of "+$(J(e,t,s)));let l=(t.marks??[]).filter(a=>a.fn===r.fn[n]);return{lines:o,
findings:[...new Set(l.map(a=>a.id+": "+t.findings[a.finding]))]}}function De(e,t,n=0,r=0){if(e.hidden=!t,!t)return;let{
lines:o,findings:s}=t;e.replaceChildren(...[...o,...s].map((a,i)=>{let f=document.createElement("div");return f.textContent=
a,i>=o.length&&(f.className="finding-line"),f}));let l=e.getBoundingClientRect();e.style.left=Math.max(8,Math.min(n+14,innerWidth-
l.width-8))+"px",e.style.top=(r+18+l.height>innerHeight?Math.max(8,r-l.height-12):r+18)+"px"}function at(e,t){let n=e.tree,
r=[],{match:o}=e;if(o){let s=Ze(n,l=>o.has(l));r.push(s.frames?["Found ",W(e,s.sum)," ("+Z(e,s.sum)+") in "+de(s.frames)+
" frames"]:["Found ","nothing",""])}if(e.selected>=0){let s=He(e,t,e.selected);r.push(["",s.lines[0]," "+[...s.lines.slice(
1,n.change?4:3),...s.findings].filter(Boolean).join(" · "),ve(t,n.fn[e.selected],n.line[e.selected])])}else if(!e.match){
let s=e.zoom?" in "+J(e,t,e.zoom):"";n.change?r.push(["",J(e,t,e.zoom),": "+Ie(n,e.zoom).join(" · ")]):r.push(["",Z(e,n.
total[e.zoom]),(n.whole?" ("+W(e,n.total[e.zoom])+")":"")+" of "+n.type.name+s+", "+de(n.n-1)+" frames"])}return r.map(([
s,l,a,i])=>{let f=document.createElement("span"),g=document.createElement("b");return g.textContent=l,f.append(s,g,a),i&&
f.append(" · ",Fe(i,"source")),f})}function lt(e,t){let n=document.createElement("button");return n.type="button",n.setAttribute(
"role","tab"),n.textContent=e,n.addEventListener("click",t),n}function re(e,t){let n=document.createElement("span"),r=document.
createElement("span");return r.className="key "+e,n.append(r,t),n}function it(e,t){let n=e.tree;if(n.change)return ut();
let r={user:"your code",dependency:"dependencies",std:"standard library",runtime:"runtime"},o=new Float64Array(_.length);
for(let l=1;l<n.n;l++)o[t.funcs[n.fn[l]][2]]+=n.self[l];let s=_.flatMap((l,a)=>o[a]>0?[re(l,r[l]+" "+W(e,o[a]))]:[]);return n.
fn.some(l=>e.marks.has(l))&&s.push(re("mark","frame of a finding")),s}function ct(e,t,n){let r=new Set(e.tree.fn),o=new Map;
for(let s of t.marks??[]){if(!r.has(s.fn))continue;let l=o.get(s.finding)??{id:s.id,fns:new Set};l.fns.add(s.fn),o.set(s.
finding,l)}return[...o].sort(([s],[l])=>s-l).map(([s,{id:l,fns:a}])=>{let i=document.createElement("div"),f=document.createElement(
"a");return i.setAttribute("role","group"),i.setAttribute("aria-label",l+": "+t.findings[s]),f.href=(t.page??"")+"#findi\
ng-"+s,f.title=t.findings[s],f.textContent=l,i.append(f,...[...a].map(g=>{let u=document.createElement("button");return u.
type="button",u.title=t.funcs[g][0],u.textContent=$(t.funcs[g][0]),u.addEventListener("click",()=>n(g)),u})),i})}var Yt=[0,.01,.05];function tt(e){let t=n=>{let r=Float64Array.from(e.graph.self[n]);for(let[o,s]of e.graph.cut[n])r[o]+=
s;for(let o=e.n-1;o>0;o--)r[e.parent[o]]+=r[o];return r};e.sides=[t(0),t(1)],e.wholes=e.graph.wholes??[e.sides[0][0],e.sides[1][0]],
Be(e)}function Be(e){e.change=new Float64Array(e.n);let[t,n]=[e.sides,e.wholes],{diff:r,types:o}=e.graph,s=n[1]*o[1].scale;
for(let l=0;l<e.n;l++){let a=t[0][l]*o[0].scale-t[1][l]*o[1].scale,i=0;for(let f of[0,1])i+=r.sample[f]*t[f][l]*(1-t[f][l]/
n[f])*o[f].scale**2;Math.abs(a)>Math.max(2*Math.sqrt(Math.max(i,0)),r.noise*s)&&(e.change[l]=a/s)}}function Ye(e){let t=0;
for(let n of Yt)Math.abs(e)>n&&t++;return Math.sign(e)*t}function Jt(e){return(e>0?"+":"−")+Q(Math.abs(e))}function Je(e){
return e===0?"":(e>0?"▲":"▼")+Q(Math.abs(e)).replace(" ","")+" "}function Ie(e,t){let{types:n}=e.graph,r=e.sides[1][t]*
n[1].scale,o=e.sides[0][t]*n[0].scale,s=n[0].unit,l=o-r,a=e.wholes[1]*n[1].scale;return[K(r,s)+" "+n[1].name+", "+K(o,s)+
" "+n[0].name,e.change[t]===0?"no change beyond sampling error and noise":(l>0?"+":"")+K(l,s)+", "+Jt(l/a)+" of total "+
n[1].name]}function ut(){let e=["below 1 %","1 to 5 %","above 5 %"];return[...e.map((t,n)=>re("more"+(n+1),"▲ more, "+
t)),...e.map((t,n)=>re("less"+(n+1),"▼ less, "+t)),re("none","no change beyond sampling error and noise")]}function xe(e,t){return e.sides?e.sides.some(n=>n[t]>0):e.total[t]>0}function Zt(e){let t=new Set;for(let n=1;n<e.n;n++)
e.parent[n]>0&&xe(e,n)&&t.add(e.fn[e.parent[n]]);return t}function mt(e){let{types:t}=e.graph,n=a=>{let{self:i,total:f}=oe(
e.sides?{...e,self:e.graph.self[a],total:e.sides[a]}:e),g=e.sides?t[a].scale:e.type.scale;return{flat:i.map(u=>u*g),cum:f.
map(u=>u*g)}},r=Zt(e),o=n(0),s=e.sides?n(1):null,l=[];return o.cum.forEach((a,i)=>{let f={fn:i,path:[i],calls:r.has(i),flat:o.
flat[i],cum:a};s&&Object.assign(f,{flatChange:f.flat-s.flat[i],cumChange:a-s.cum[i]}),(a>0||s&&s.cum[i]>0)&&l.push(f)}),
l}function ft(e,t){let n=[];for(let r=t+1;r<e.end[t];r=e.end[r])xe(e,r)&&n.push(r);return n}function pt(e,t){let n=t.tree??
he(e,t.fn),{types:r}=n.graph;return ft(n,t.node??0).map(o=>{let s=i=>({flat:n.selves[i][o]*r[i].scale,cum:n.sides[i][o]*
r[i].scale}),l=n.sides?s(0):{flat:n.self[o]*n.type.scale,cum:n.total[o]*n.type.scale};if(n.sides){let i=s(1);Object.assign(
l,{flatChange:l.flat-i.flat,cumChange:l.cum-i.cum})}let a=n.fn[o];return{...l,fn:a,path:[...t.path,a],tree:n,node:o,calls:ft(
n,o).length>0}})}function Ne(e,t){let n=t==="flat"?"cum":"flat",r=(o,s)=>Math.abs(o[`${s}Change`]??o[s]);return e.sort((o,s)=>r(
s,t)-r(o,t)||r(s,n)-r(o,n)||o.fn-s.fn)}function en(e,t){return e===0?"0":(e>0?"+":"")+K(e,t)}function dt(e){let{unit:t}=e.
sides?e.graph.types[0]:e.type,n=(e.whole??e.total[0])*e.type.scale;return["flat","cum"].flatMap(r=>[[r,r==="flat"?"Flat":
"Cum",o=>K(o[r],t)],e.sides?["","change",o=>en(o[`${r}Change`],t)]:["","share",o=>Q(n?o[r]/n:0)]])}function Se(e,t){let n=[];for(let r=1;r<e.n;){if(e.fn[r]!==t){r++;continue}xe(e,r)&&n.push(r),r=e.end[r]}return n}function ht(e,t){
let n=e.sides??[],r={parent:[-1],fn:[t],self:[0],total:[0],line:[0],most:[0],sides:n.map(()=>[0]),selves:n.map(()=>[0])},
o=new Map,s=e.funcs;function l(i,f){let g=i*s+f,u=o.get(g);if(u===void 0){u=r.fn.length,o.set(g,u),r.parent.push(i),r.fn.
push(f),r.self.push(0),r.total.push(0),r.line.push(0),r.most.push(0);for(let w of[...r.sides,...r.selves])w.push(0)}return u}
function a(i,f,g=f){r.total[i]+=e.total[f],e.total[g]>r.most[i]&&(r.most[i]=e.total[g],r.line[i]=e.line[g]),r.sides.forEach(
(u,w)=>{u[i]+=n[w][f]})}return{nodes:r,step:l,add:a}}function he(e,t){let{nodes:n,step:r,add:o}=ht(e,t),s=[0];for(let l of Se(
e,t))for(let a=l;a<e.end[l];a++){let i=e.depth[a]-e.depth[l];i>0&&(s[i]=r(s[i-1],e.fn[a])),o(s[i],a),n.self[s[i]]+=e.self[a],
n.selves.forEach((f,g)=>{f[s[i]]+=e.graph.self[g][a]})}return bt(e,n)}function gt(e,t){let{nodes:n,step:r,add:o}=ht(e,t);
for(let s of Se(e,t)){let l=0;o(0,s);for(let a=e.parent[s];a>0;a=e.parent[a])l=r(l,e.fn[a]),o(l,s,a)}return bt(e,n)}function bt(e,t){
let n=t.fn.length,r=Array.from({length:n},()=>[]);for(let a=1;a<n;a++)r[t.parent[a]].push(a);let o={n,graph:e.graph,type:e.
type,whole:e.whole??e.total[0],funcs:e.funcs,fn:new Int32Array(n),line:new Int32Array(n),depth:new Int32Array(n),parent:new Int32Array(
n),end:new Int32Array(n),self:new Float64Array(n),total:new Float64Array(n),x:new Float64Array(n)};e.sides&&(o.sides=e.sides.
map(()=>new Float64Array(n)),o.selves=e.sides.map(()=>new Float64Array(n)),o.wholes=e.wholes);let s=[[0,-1,0,0]],l=0;for(;s.
length;){let[a,i,f,g]=s.pop(),u=l++;o.fn[u]=t.fn[a],o.parent[u]=i,o.depth[u]=f,o.x[u]=g,o.self[u]=t.self[a],o.total[u]=t.
total[a],o.line[u]=t.line[a],o.sides?.forEach((S,y)=>{S[u]=t.sides[y][a]}),o.selves?.forEach((S,y)=>{S[u]=t.selves[y][a]});
let w=r[a].sort((S,y)=>t.total[y]-t.total[S]||t.fn[S]-t.fn[y]),E=g;for(let S of w)E+=t.total[S];for(let S of w.reverse())
E-=t.total[S],s.push([S,u,f+1,E])}return ke(o),o.sides&&Be(o),o}function oe(e){let t=new Float64Array(e.funcs),n=new Float64Array(
e.funcs),r=new Int32Array(e.funcs),o=[];for(let s=1;s<e.n;s++){for(;o.length>=e.depth[s];)r[o.pop()]--;let l=e.fn[s];t[l]+=
e.self[s],r[l]===0&&(n[l]+=e.total[s]),r[l]++,o.push(l)}return{self:t,total:n}}function Oe(e,t=e.keys()){let n=-1;for(let r of t)
e[r]>(n<0?0:e[n])&&(n=r);return n}function Me(e,t){let n=t.toLowerCase().split("|").map(l=>l.trim()).filter(Boolean);if(!n.length)return null;let r=l=>n.some(
a=>l.includes(a)),o=(e.files??[]).map(l=>r(l.toLowerCase())),s=new Set;return e.funcs.forEach(([l,a],i)=>{(r(l.toLowerCase())||
o[a])&&s.add(i)}),s}function tn(e,t){let n=new Uint8Array(e.n);for(let r=1;r<e.n;r++)n[r]=n[e.parent[r]]||t.has(e.fn[r])?
1:0;return n}function yt(e,{focus:t,ignore:n,from:r}){let[o,s,l]=[t,n,r].map(g=>g&&tn(e,g)),a=g=>(!o||o[g])&&!(s&&s[g])&&
(!l||l[g]),i=(g,u)=>g.reduce((w,E)=>w+E,0)+e.graph.cut[u].reduce((w,[,E])=>w+E,0),f={...e.graph,wholes:e.graph.self.map(
i),lines:{fn:[],line:[],self:[],total:[]},self:e.graph.self.map(g=>g.map((u,w)=>a(w)?u:0)),cut:e.graph.cut.map(g=>g.filter(
([u])=>a(u)))};return we(l?nn(e,f,l):f,e.funcs)}function nn(e,t,n){let r=[{depth:0,children:new Map}],o=new Int32Array(e.
n);for(let a=1;a<e.n;a++){if(!n[a])continue;let i=r[o[e.parent[a]]];i.children.has(e.fn[a])||(i.children.set(e.fn[a],r.length),
r.push({fn:e.fn[a],line:e.line[a],depth:i.depth+1,children:new Map})),o[a]=i.children.get(e.fn[a])}let s=a=>{let i=new Array(
r.length).fill(0);return a.forEach((f,g)=>{i[o[g]]+=f}),i},l=t.cut.map(a=>a.map(([i,f])=>[o[i],f]));return rn({...t,self:t.
self.map(s),cut:l},r)}function rn(e,t){let n=[...e.self[e.default]];for(let[a,i]of e.cut[e.default])n[a]+=i;for(let a=t.
length-1;a>=0;a--)for(let i of t[a].children.values())n[a]+=n[i];let r=[],o=[0];for(;o.length;){let a=o.pop();r.push(a);
for(let i of[...t[a].children.values()].sort((f,g)=>n[f]-n[g]))o.push(i)}let s=new Int32Array(t.length);r.forEach((a,i)=>{
s[a]=i});let l=r.slice(1);return{...e,fn:l.map(a=>t[a].fn),line:l.map(a=>t[a].line),up:l.map((a,i)=>t[r[i]].depth+1-t[a].
depth),self:e.self.map(a=>r.map(i=>a[i])),cut:e.cut.map(a=>a.map(([i,f])=>[s[i],f]))}}function Pe(e,t){if(e.hashes)return e.
hashes;let n=ze(t);e.hashes=new Uint32Array(e.n);for(let r=1;r<e.n;r++)e.hashes[r]=qe(e.hashes[e.parent[r]],n[e.fn[r]],e.
depth[r]);return e.hashes}function ze(e){return e.hashes??=e.funcs.map(([t])=>{let n=2166136261;for(let r=0;r<t.length;r++)
n=Math.imul(n^t.charCodeAt(r),16777619);return n}),e.hashes}function qe(e,t,n){return Math.imul(e^e>>>15^t,739982445)+n}
function Ke(e,t,n){return n?Math.max(Pe(e,t).indexOf(n),0):0}function on(e,t,n){let r=e.graph.lines,o=[];if(r.fn?.forEach((a,i)=>{a===n&&o.push({line:r.line[i],self:r.self[t][i],total:r.
total[t][i]})}),o.length)return{rows:o,exact:!0};let s=new Map,l=a=>(s.has(a)||s.set(a,{line:a,self:0,total:0}),s.get(a));
for(let a of Se(e,n))l(e.line[a]).total+=e.total[a];for(let a=1;a<e.n;a++)e.fn[a]===n&&(l(e.line[a]).self+=e.self[a]);return{
rows:[...s.values()].sort((a,i)=>a.line-i.line),exact:!1}}function B(e,t,n){let r=document.createElement(e);return r.append(
t),n&&(r.className=n),r}function sn(e){let t="http://www.w3.org/2000/svg",n=document.createElementNS(t,"svg");n.setAttribute(
"class","share"),n.setAttribute("viewBox","0 0 100 6"),n.setAttribute("preserveAspectRatio","none"),n.setAttribute("aria\
-hidden","true");for(let[r,o]of[["track",100],["fill",Math.min(100*e,100)]]){let s=document.createElementNS(t,"rect");s.
setAttribute("class",r),s.setAttribute("width",String(o)),s.setAttribute("height","6"),n.append(s)}return n}function wt(e,t,n,r){
let o=e.tree,{rows:s,exact:l}=on(o,n,r),a=document.createElement("table"),i=document.createElement("tr");for(let[w,E]of[
["Line","num"],["Self","num"],["Share","num"],["With callees","num"],["Share","num"],["",""]]){let S=B(w?"th":"td",w,E);
w&&(S.scope="col"),i.append(S)}let f=document.createElement("tbody"),g=o.whole??o.total[0];for(let w of s){let E=document.
createElement("tr"),S=ve(t,r,w.line),y=B("th",S?Fe(S,String(w.line)):w.line?String(w.line):"–","num");y.scope="row",E.
append(y,B("td",Z(e,w.self),"num"),B("td",W(e,w.self),"num"),B("td",Z(e,w.total),"num"),B("td",W(e,w.total),"num"),B("td",
sn(g?w.total/g:0),"barcell")),f.append(E)}if(a.append(B("thead",i),f),l)return[a];let u=B("p","The page has every line o\
nly for the heaviest functions. In this function, each frame counts at its heaviest line.","note");return[a,u]}var z=(()=>{let e={width:0,height:0,top:0,match:null,marks:new Map},t=[],n=[],r=[],o,s,l,a,i,f,g,u=0,w=0,E="graph",S=-1,
y=[],T=0,D=null,v=()=>{};function k(c){return s.querySelector(c)}function q(c,m={}){return{tree:c,zoom:0,base:0,dir:1,from:0,
hover:-1,selected:-1,...m}}function U(c=T){return{...e,...y[c]}}function F(){performance.clearMeasures("flame");let c=performance.
now();if(e.width=l.clientWidth,!e.width)return;let m=Qe(y,e.width)*R,h=parseFloat(getComputedStyle(l).maxHeight)||m;e.height=
Math.min(m,h),k(".spacer").style.height=m-e.height+"px",e.top=Math.min(l.scrollTop,m-e.height);let b=devicePixelRatio||1,
[L,ue]=[Math.round(e.width*b),Math.round(e.height*b)];(a.width!==L||a.height!==ue)&&(a.width=L,a.height=ue,a.style.width=
e.width+"px",a.style.height=e.height+"px"),i.setTransform(b,0,0,b,0,0),i.clearRect(0,0,e.width,e.height),y.forEach((dn,qt)=>Xe(
i,U(qt),o)),performance.measure("flame",{start:c,end:performance.now()})}function O(){g.replaceChildren(...at(U(),o)),E===
"lines"&&S>=0&&k(".lines").replaceChildren(...wt(M(),o,w,S))}function P(c){y[0].zoom=c,F(),O(),v(!0)}function N(c,m){for(let L of y)
L.selected=-1;T=c;let h=y[c];h.selected=m;let b=h.base+h.dir*h.tree.depth[m]*R;(b<l.scrollTop||b+R>l.scrollTop+e.height)&&
(l.scrollTop=b-e.height/2),F(),O(),v(!1)}function ie(c){e.match=Me(o,c),E!=="graph"&&x(),F(),O(),v(!1)}function ee(){for(let c of y)
c.selected=-1;y[0].zoom=0,T=0,k("input").value="",l.scrollTop=0,v(!0),ie("")}function ce(c){w=c;let m=t[u];if(Ce(m,c),E===
"graph"){let h=y[0];for(;h.zoom>0&&m.total[h.zoom]===0;)h.zoom=m.parent[h.zoom]}else p(S);k(".types select").value=String(
c),k(".legend").replaceChildren(...it({...e,tree:m},o)),F(),O(),v(!0)}function V(c){u=c;let m=o.graphs[c];n[c]??=we(m,o.
funcs.length),t[c]??=D?yt(n[c],D):n[c],r.length=0,y=[q(t[c])],T=0,l.scrollTop=0,s.querySelectorAll(".tabs button").forEach(
(b,L)=>{b.setAttribute("aria-selected",String(L===c)),b.tabIndex=L===c?0:-1}),k(".types select").replaceChildren(...m.types.
map((b,L)=>new Option(b.name,String(L),!1,L===m.default))),k(".types").hidden=m.types.length<2,k(".marks").replaceChildren(
...ct(U(),o,A)),Ce(t[c],m.default),E!=="graph"&&(S=ye()),ce(m.default)}function ye(){let{self:c,total:m}=oe(t[u]);return S>=
0&&m[S]>0?S:Math.max(Oe(c),0)}function X(c){let m=y[T];m.selected>=0&&m.tree.fn[m.selected]>=0&&(S=m.tree.fn[m.selected]),
E=c,r.length=0;for(let h of s.querySelectorAll(".modes button"))h.setAttribute("aria-pressed",String(h.dataset.mode===E));
s.dataset.mode=E,k(".function").hidden=E==="graph",k(".lines").hidden=E!=="lines",l.hidden=E==="lines",k(".legend").hidden=
E==="lines",l.scrollTop=0,E==="graph"?(y=[q(t[u])],T=0):p(ye()),F(),O(),v(!0)}function p(c){S=c;let m=t[u];T=0,y=E==="sa\
ndwich"?[q(he(m,c),{selected:0}),q(gt(m,c),{dir:-1,from:1})]:[q(he(m,c),{selected:0})],x(),E==="sandwich"&&(e.width=l.clientWidth,
F(),l.scrollTop=Math.max(0,y[0].base-e.height/2))}function d(c){c<0||c===S||(r.push(S),p(c),F(),O(),v(!0))}function x(){
let{self:c,total:m}=oe(t[u]),h=[...m.keys()].filter(L=>m[L]>0&&(!e.match||e.match.has(L))).sort((L,ue)=>m[ue]-m[L]||c[ue]-
c[L]).slice(0,300);h.includes(S)||h.unshift(S);let b=L=>W(M(),m[L])+"  "+$(o.funcs[L][0]);k(".function select").replaceChildren(
...h.map(L=>new Option(b(L),String(L),!1,L===S)))}function M(){return{...e,tree:t[u]}}function A(...c){if(E!=="graph"){d(
c.at(-1));return}let m=t[u],h=et(m,c);if(h<0)return;let b=h;for(;b>0&&m.total[h]/m.total[b]>.12;)b=m.parent[b];y[0].zoom=
b,F(),v(!0),N(0,h)}function C(){let{tree:c,zoom:m,selected:h}=y[0],b=h<0?m:h;return{ArrowDown:()=>N(0,h<0?m:Ee(c,b)),ArrowUp:()=>{
c.parent[b]<0||(b===m&&P(c.parent[b]),N(0,c.parent[b]))},ArrowLeft:()=>{b!==m&&N(0,me(c,b,-1))},ArrowRight:()=>{b!==m&&N(
0,me(c,b,1))},Enter:()=>P(b),Escape:()=>{m>0?P(c.parent[m]):ee()},Home:ee}}function H(){let{tree:c,selected:m}=y[T],h=Math.
max(m,0),b=()=>N(T,Ee(c,h)),L=()=>N(c.parent[h]>0?T:0,Math.max(c.parent[h],0));return{ArrowDown:T===0?b:L,ArrowUp:()=>{T===
1?b():h>0?L():y[1].tree.n>1&&N(1,Ee(y[1].tree,0))},ArrowLeft:()=>N(T,me(c,h,-1)),ArrowRight:()=>N(T,me(c,h,1)),Enter:()=>d(
c.fn[h]),Escape:()=>te(),Home:()=>N(0,0)}}function te(){r.length?(p(r.pop()),F(),O(),v(!0)):X("graph")}function ne(c){let m=E===
"graph"?C():H();!m[c.key]||c.ctrlKey||c.metaKey||c.altKey||(c.preventDefault(),m[c.key]())}function Ft(){a.addEventListener(
"pointermove",c=>{let[m,h]=Le(y,e,c.offsetX,c.offsetY);y.some((b,L)=>b.hover!==(L===m?h:-1))&&(y.forEach((b,L)=>{b.hover=
L===m?h:-1}),F()),c.pointerType==="mouse"&&De(f,h<0?null:He(U(m),o,h),c.clientX,c.clientY)}),a.addEventListener("pointer\
leave",()=>{for(let c of y)c.hover=-1;De(f,null),F()}),a.addEventListener("click",c=>{let[m,h]=Le(y,e,c.offsetX,c.offsetY);
if(!(h<0)){if(E==="sandwich"){d(y[m].tree.fn[h]);return}y[0].selected=h,P(h)}})}function Rt(){let c=k(".tabs");c.replaceChildren(
...o.graphs.map((m,h)=>lt(m.title,()=>V(h)))),c.addEventListener("keydown",m=>{let h={ArrowRight:1,ArrowLeft:-1}[m.key];
h&&(V((u+h+o.graphs.length)%o.graphs.length),c.children[u].focus())})}function Ht(c,m){if(s=document.getElementById("fla\
me"),!(!s||!c.graphs?.length)){o=c,l=k(".stage"),a=l.querySelector("canvas"),i=a.getContext("2d"),f=k(".tip"),g=k(".stat\
us");for(let h of o.marks??[]){let b=e.marks.get(h.fn)??[];e.marks.set(h.fn,b.includes(h.id)?b:[...b,h.id])}Rt(),Ft(),l.
addEventListener("keydown",ne),l.addEventListener("scroll",F);for(let h of s.querySelectorAll(".modes button"))h.addEventListener(
"click",()=>X(h.dataset.mode));k(".types select").addEventListener("change",h=>ce(Number(h.target.value))),k(".function \
select").addEventListener("change",h=>d(Number(h.target.value))),k("input").addEventListener("input",h=>ie(h.target.value)),
k("input").addEventListener("keydown",Dt),k(".reset").addEventListener("click",ee),V(o.marks?.[0]?.graph??0),m&&(v=m),new ResizeObserver(
F).observe(s),I.onChange(F)}}function Dt(c){if(c.key!=="Enter"||!e.match?.size)return;let{total:m}=oe(t[u]),h=Oe(m,e.match);
h>=0&&A(h)}function It(c){let m=o.marks[c];E!=="graph"&&X("graph"),u!==m.graph&&V(m.graph),A(m.fn),s.scrollIntoView({block:"\
start"}),l.focus({preventScroll:!0})}function Bt(c){u!==c&&V(c),l.focus({preventScroll:!0})}function Nt(){let{zoom:c,selected:m}=y[0],
h=b=>E==="graph"&&b>0?Pe(t[u],o)[b]:0;return{graph:u,type:o.graphs[u].types[w].name,view:E,zoom:h(c),at:h(m),fn:E==="gra\
ph"?"":o.funcs[S]?.[0]??"",find:k("input").value}}function Ot(c){let m=v;v=()=>{},D=c.filter,t.length=0,V(Math.min(c.graph,
o.graphs.length-1)),E!=="graph"&&X("graph");let h=o.graphs[u].types.findIndex(b=>b.name===c.type);if(h>=0&&h!==w&&ce(h),
k("input").value=c.find,ie(c.find),c.view==="sandwich"||c.view==="lines")S=o.funcs.findIndex(([b])=>b===c.fn),X(c.view);else{
y[0].zoom=Ke(t[u],o,c.zoom),F();let b=Ke(t[u],o,c.at);b>0?N(0,b):O()}v=m}function Pt(){return{tree:t[u],column:w,match:e.
match}}function zt(){let c=y[T];return c.selected>0||E!=="graph"&&c.selected===0?J(U(),o,c.selected):""}return{start:Ht,
showMark:It,showGraph:Bt,reset:ee,state:Nt,restore:Ot,shownFunctions:Pt,selectedName:zt,jump:A,keys:ne}})();var an=50;function Et(e,t,n,{shown:r,show:o,changed:s}){let l=new Set,a=new WeakMap,i="flat",f=30,g=[],u,w;function E(){
let p=r(),d=[p.tree,p.column,p.match,i,f];if(d.every((C,H)=>C===g[H]))return;g=d,u=p.tree,w=dt(u);let x=a.get(O(document.
activeElement))?.key,M=Ne(mt(u).filter(C=>!p.match||p.match.has(C.fn)),i);e.replaceChildren(...M.length?S(M):[B("p","No \
function matches.","empty")]);let A=F();A.length&&(A[0].tabIndex=0),x!==void 0&&P(A.find(C=>a.get(C).key===x)??A[0])}function S(p){
let d=G("table","treegrid","cards functions");d.setAttribute("aria-label","Functions"),d.setAttribute("aria-describedby",
"functions-how");let x=G("thead","rowgroup");x.append(y());let M=G("tbody","rowgroup");if(M.append(...p.slice(0,f).flatMap(
(C,H)=>T(C,H,p.length))),d.append(x,M),p.length<=f)return[d];let A=B("button","Show more: "+de(p.length-f)+" functions a\
re left","quiet more");return A.type="button",A.addEventListener("click",()=>{let C=f;f+=200,s(!1),P(F().filter(H=>H.ariaLevel===
"1")[C])}),[d,A]}function y(){let p=G("tr","row"),d=G("th","columnheader");return d.scope="col",d.append("Function"),p.append(
d,...w.map(([x,M])=>{let A=G("th","columnheader","num");if(A.scope="col",!x)return A.append(M),A;let C=B("button",M+(x===
i?" ▾":""),"link");return C.type="button",C.dataset.sort=x,C.addEventListener("click",()=>{i=x,s(!0),e.querySelector("\
[data-sort="+x+"]")?.focus()}),x===i&&A.setAttribute("aria-sort","descending"),A.append(C),A})),p}function T(p,d,x){p.key=
ln(n,p.path);let M=G("tr","row");return a.set(M,p),M.tabIndex=-1,M.setAttribute("aria-level",String(p.path.length)),M.setAttribute(
"aria-posinset",String(d+1)),M.setAttribute("aria-setsize",String(x)),p.calls&&M.setAttribute("aria-expanded",String(l.has(
p.key))),M.append(v(M,p),...w.map(([A,C,H],te)=>{let ne=G("td","gridcell","num");return ne.append(H(p)),ne.dataset.label=
A?C.toLowerCase():w[te-1][1].toLowerCase()+" "+C,ne})),p.calls&&l.has(p.key)?[M,...D(p)]:[M]}function D(p){let d=Ne(pt(u,
p),i);return d.flatMap((x,M)=>T(x,M,d.length))}function v(p,d){let x=G("th","rowheader");x.scope="row";let M=B("span",d.
calls?l.has(d.key)?"▾":"▸":"","twist");M.setAttribute("aria-hidden","true"),M.addEventListener("click",()=>{d.calls&&
N(p)});let A=B("button",n.funcs[d.fn][0],"link symbol");A.type="button",A.tabIndex=-1,A.addEventListener("click",()=>o(d.
path));let C=B("div",A);C.append(B("span",[...k(d.fn),...q(d.fn)].join(" · "),"sub"));let H=B("div",M,"tree");return H.
style.setProperty("--above",String(d.path.length-1)),H.append(C),x.append(H),x}function k(p){let[,d,x]=n.funcs[p];return[
_[x],...d<0?[]:[n.files[d].split("/").slice(-2).join("/")]]}function q(p){return[...new Set((n.marks??[]).filter(d=>d.fn===
p).map(d=>d.id))]}function U(p,d){let x=w.map(([,,H])=>H(d)),M=d.path.slice(0,-1).map(H=>$(n.funcs[H][0])).reverse(),A=q(
d.fn),C=d.calls?p.ariaExpanded==="true"?"What it calls is open":"Right shows what it calls":"It calls nothing that was c\
ounted";return[n.funcs[d.fn][0]+(M.length?", called by "+M.join(", by "):""),[["itself",0],["with what it calls",2]].map(
([H,te])=>x[te]+" "+H+", "+x[te+1]+(u.sides?" against the base":" of all")).join("; "),"In "+[Re[_[n.funcs[d.fn][2]]],...k(
d.fn).slice(1)].join(", "),...A.length?["A place of "+A.join(", ")]:[],C].join(". ")+"."}function F(){return[...e.querySelectorAll(
"tbody tr")]}function O(p){return p&&e.contains(p)?p.closest("tbody tr"):null}function P(p){p?.focus()}function N(p){let d=a.
get(p),x=!l.delete(d.key);if(x)l.add(d.key),p.after(...D(d));else for(;Number(p.nextElementSibling?.ariaLevel)>d.path.length;)
p.nextElementSibling.remove();p.setAttribute("aria-expanded",String(x)),p.querySelector(".twist").textContent=x?"▾":"▸",
O(document.activeElement)===p?t.textContent=U(p,d):e.querySelector('tbody tr[tabindex="0"]')||(p.tabIndex=0),s(!1)}function ie(p){
let d=p.previousElementSibling;for(;d&&Number(d.ariaLevel)>=Number(p.ariaLevel);)d=d.previousElementSibling;return d}function ee(p){
let d=O(p.target);if(!d||p.ctrlKey||p.metaKey||p.altKey)return;let x=d.ariaExpanded,M={ArrowDown:()=>P(d.nextElementSibling),
ArrowUp:()=>P(d.previousElementSibling),ArrowRight:()=>{x==="true"?P(d.nextElementSibling):x&&N(d)},ArrowLeft:()=>{x==="\
true"?N(d):P(ie(d))},Home:()=>P(F()[0]),End:()=>P(F().at(-1)),Enter:()=>o(a.get(d).path)}[p.key];M&&(p.preventDefault(),
p.stopPropagation(),M())}function ce(p){let d=O(p.target);if(!d)return;for(let M of e.querySelectorAll('tbody tr[tabinde\
x="0"]'))M.tabIndex=-1;d.tabIndex=0;let x=U(d,a.get(d));t.textContent!==x&&(t.textContent=x)}e.addEventListener("keydown",
ee),e.addEventListener("focusin",ce);function V(){return{sort:i,open:[...l].slice(-an).map(p=>p.toString(16)).join(".")}}
function ye({sort:p,open:d}){i=p==="cum"?"cum":"flat",l.clear();for(let x of d.split("."))x&&l.add(Number.parseInt(x,16));
g=[]}function X(){let p=a.get(O(document.activeElement));return p?n.funcs[p.fn][0]:""}return{refresh:E,state:V,restore:ye,
focusedName:X}}function G(e,t,n){let r=document.createElement(e);return r.setAttribute("role",t),n&&(r.className=n),r}function ln(e,t){
let n=ze(e);return t.reduce((r,o,s)=>qe(r,n[o],s+1),0)>>>0}function Tt(e){let t=document.querySelector(".stage");z.jump(
...e),t.scrollIntoView({block:"center"}),t.focus({preventScroll:!0})}function Ae(e){return/^[\w./:=@%,+-]+$/.test(e)?e:"'"+e.replaceAll("'","'\\''")+"'"}function xt(e){return"(?i)"+e.split(
"|").map(n=>n.trim()).filter(Boolean).map(n=>n.replace(/[\\.+*?()|[\]{}^$]/g,"\\$&")).join("|")}function St({type:e,filters:t,
file:n,base:r}){let o=["go","tool","pprof","-http=:"];e&&o.push(Ae("-sample_index="+e));for(let[s,l]of[["focus",t.focus],
["ignore",t.ignore],["show_from",t.from]])l.trim()&&o.push(Ae("-"+s+"="+xt(l)));return r&&o.push(Ae("-diff_base="+r)),o.
push(Ae(n)),o.join(" ")}function Mt({type:e,filters:t}){let n=new URLSearchParams;for(let[r,o]of[["f",t.focus],["i",t.ignore],
["sf",t.from]])o.trim()&&n.set(r,xt(o));return e&&n.set("si",e),n.size?"?"+n:""}document.documentElement.classList.add("js");I.start();var j=JSON.parse(document.getElementById("data").textContent),ge=[
"focus","ignore","from"],be=e=>document.querySelector("[data-filter="+e+"]"),je=document.querySelector(".stage"),se=document.
getElementById("keys"),We="",ae,le=(j.flame.graphs?.length??1)-1;function Lt(){return Object.fromEntries(ge.map(e=>[e,be(
e).value]))}function kt(){let e=ge.map(t=>[t,Me(j.flame,be(t).value)]);return e.some(([,t])=>t)?Object.fromEntries(e):null}
function Ct(){let e=z.state(),{types:t,default:n}=j.flame.graphs[e.graph],r=new URLSearchParams;for(let[o,s,l]of[["file",
j.file,""],["base",j.base,""],["diff",e.graph===le?"":"off",""],["type",e.type,t[n].name],["view",e.view,"graph"],["fn",
e.fn,""],["zoom",e.zoom.toString(16),"0"],["at",e.at.toString(16),"0"],["q",e.find,""],...Object.entries(Lt()).map(([a,i])=>[
a,i.trim(),""]),["sort",ae.state().sort,"flat"],["open",ae.state().open,""]])s!==l&&r.set(o,s);return location.pathname+
"?"+r.toString().replaceAll("%2F","/")}function At(){let e=new URLSearchParams(location.search);for(let n of ge)be(n).value=
e.get(n)??"";ae.restore({sort:e.get("sort"),open:e.get("open")??""});let t=n=>Number.parseInt(e.get(n)??"0",16)||0;z.restore(
{graph:e.get("diff")==="off"?0:le,type:e.get("type")??"",view:e.get("view")??"graph",fn:e.get("fn")??"",zoom:t("zoom"),at:t(
"at"),find:e.get("q")??"",filter:kt()}),We=Ct(),vt()}function Ge(e){let t=Ct();if(t!==We){let n=history.state?.depth??0;
e?history.pushState({depth:n+1},"",t):history.replaceState({depth:n},"",t),We=t}vt()}function vt(){ae.refresh();let e=z.
state(),{types:t,default:n}=j.flame.graphs[0],r=e.graph===0?e.type:t[n].name,o={type:t.length>1?r:"",filters:Lt(),file:location.
origin+j.download,base:le>0&&e.graph===le?location.origin+j.base_download:""};document.getElementById("pprof").textContent=
St(o),document.getElementById("pprof-pages").search=Mt(o)}function Ue(e){z.restore({...z.state(),filter:kt(),...e}),Ge(!0)}
function cn(){for(let e of ge)be(e).value="";Ue({view:"graph",fn:"",zoom:0,at:0,find:"",filter:null})}function un(){if(le>
0){Ue({graph:le-z.state().graph,type:""});return}let e=document.querySelector("#compare summary");e&&(e.parentElement.open=
!0,e.focus())}async function fn(){let e=ae.focusedName()||z.selectedName(),t=document.getElementById("said");try{await navigator.
clipboard.writeText(e||location.href),t.textContent=e?"Copied the function’s name.":"Copied the address of this view."}catch{
t.textContent="The browser does not let this page copy."}}var mn={"/":()=>document.querySelector(".find input").focus(),
"?":()=>se.showModal(),Backspace:()=>{history.state?.depth>0&&history.back()},c:fn,d:un};function pn(e){let t=e.target;if(e.
ctrlKey||e.metaKey||e.altKey||se.open)return;let n=t.matches("input, select, textarea"),r=t===document.body||se.contains(
t),o=e.key==="Escape"?cn:n?null:mn[e.key];o?(e.preventDefault(),e.stopPropagation(),o(),e.key==="Escape"&&je.focus({preventScroll:!0})):
r&&/^(Arrow|Enter|Home)/.test(e.key)&&(je.focus({preventScroll:!0}),z.keys(e))}if(j.flame.graphs?.length){je.setAttribute(
"aria-label","Flame graph. Arrow keys move, Enter zooms in, Backspace goes back, Escape resets."),ae=Et(document.getElementById(
"function-table"),document.getElementById("row-said"),j.flame,{shown:z.shownFunctions,show:Tt,changed:Ge}),z.start(j.flame,
Ge),At(),history.replaceState({depth:history.state?.depth??0},"",location.href),addEventListener("popstate",At);for(let e of ge)
be(e).addEventListener("change",()=>Ue({}));document.addEventListener("keydown",pn,!0);for(let e of document.querySelectorAll(
"[data-keys]"))e.addEventListener("click",()=>se.showModal());se.querySelector("button").addEventListener("click",()=>se.
close())}Ve();})();

// Made of app/report/web/main.ts by `make web`.
"use strict";(()=>{var Oe=[[1099511627776," TiB",1],[1073741824," GiB",1],[1048576," MiB",1],[1024," KiB",1],[1," B",0]],vt=[[86400," days",
2],[3600," h",2],[60," min",10],[1," s",1],[.001," ms",1],[1e-6," µs",1],[1e-9," ns",0]],kt=[[1e12," T",1],[1e9," G",1],
[1e6," M",1],[1e3," k",0]];function ze(e){return Number(e.toPrecision(3))}function Pe(e){return e.replace(/\.?0+(e|$)/,"\
$1")}function J(e){if(e<0)return"−"+J(-e);if(e===0)return"0";if(e<5e-7)return"<0.000001";if(e>=1e15)return Pe(e.toExponential(
2));if(e>=99.95)return e.toFixed(0).replace(/\B(?=(\d{3})+$)/g,",");let n=2-Math.floor(Math.log10(ze(e))+1e-9),t=e.toFixed(
Math.min(n,6));return t.includes(".")?Pe(t):t}function Rt(e){return Math.abs(e)<1?Number(e.toPrecision(2)):Math.round(10*
e)/10}function ce(e,n){if(e<0)return"−"+ce(-e,n);for(let[t,r,o]of n)if(e>0?ze(e/t)>=o:t===1)return J(e/t)+r;return J(e)}
function he(e){return e<0?"−"+he(-e):Math.round(e)<1e4?J(e):ce(e,kt)}function Ft(e,n){switch(n){case"bytes":return ce(
e,Oe);case"bytes/s":return ce(e,Oe)+"/s";case"seconds":return ce(e,vt);case"share":return J(Rt(100*e))+" %";case"cores":
return J(e)==="1"?"1 core":J(e)+" cores";case"1/s":return he(e)+"/s";case"count":case"":return he(e)}return he(e)+" "+n}
function W(e,n){return e==null||!Number.isFinite(e)?"–":Ft(e,n).replaceAll(" "," ")}function ue(e){return W(e,"count")}
function Y(e){return W(e,"share")}function qe(e){let n=e<0?"−":"+",t=Math.round(Math.abs(e));if(t===0)return"0:00";let r=l=>String(
l).padStart(2,"0"),o=Math.floor(t/3600),a=Math.floor(t/60)%60;return n+(o?o+":"+r(a):a)+":"+r(t%60)}var F=(()=>{let e=document.documentElement,n=matchMedia("(prefers-color-scheme: dark)"),t=[],r=document.createElement("s\
pan");r.hidden=!0,document.body.append(r);let o="",a=!1,l=()=>!a&&(o?o==="dark":n.matches);function s(){e.style.colorScheme=
a?"light":o;let u=document.getElementById("theme");u.textContent=l()?"Light":"Dark";for(let T of t)T()}function i(){document.
getElementById("theme").addEventListener("click",()=>{o=l()?"light":"dark",s()}),n.addEventListener("change",s),addEventListener(
"beforeprint",()=>{a=!0,s()}),addEventListener("afterprint",()=>{a=!1,s()}),s()}function f(u){return r.style.color="var(\
--"+u+")",getComputedStyle(r).color}function b(u){return getComputedStyle(e).getPropertyValue("--"+u).trim()}return{start:i,
color:f,font:b,onChange:u=>t.push(u)}})();var We=(()=>{let t=Array.from({length:50},(y,x)=>2**x),r=[1,2,5,10,15,30,60,120,300,600,900,1800,3600,7200,14400,43200,86400],
o=[[],[6,3],[1.5,3]],a=[];function l(y,x){return y===0?"0":W(y,x).replace(/\/s$|\u00a0cores?$/,"")}function s(y){let p={
font:"11px "+F.font("sans"),stroke:()=>F.color("muted"),grid:{stroke:()=>F.color("line"),width:1},ticks:{show:!1}};return[
{...p,incrs:r,space:56,size:22,gap:4,values:(w,L)=>L.map(qe)},{...p,size:58,gap:6,space:26,...y.startsWith("bytes")?{incrs:t}:
{},values:(w,L)=>L.map(C=>l(C,y))}]}function i(y,x){let{ctx:p}=y,w=devicePixelRatio,{left:L,top:C,width:S,height:I}=y.bbox,
z=[],H=R=>R.names.size===1?[...R.names][0]:[...R.names][0]+" +"+(R.names.size-1);p.save(),p.font=10*w+"px "+F.font("sans"),
p.textBaseline="bottom",p.textAlign="left";for(let R of x){let N=y.valToPos(R.from,"x",!0),O=Math.max(y.valToPos(R.to,"x",
!0),N+1.5*w);if(O<L||N>L+S)continue;let j=Math.max(N,L),$=Math.min(O,L+S);p.fillStyle=R.to>R.from?F.color("span"):F.color(
"line-strong"),p.fillRect(j,C,$-j,I);let G=z[z.length-1],K=R.label.split(", ");G&&j<G.x+p.measureText(H(G)+" +9").width+
6*w?K.forEach(re=>G.names.add(re)):z.push({x:j,names:new Set(K)})}p.fillStyle=F.color("muted");for(let R of z){let N=Math.
max(L,Math.min(R.x,L+S-p.measureText(H(R)).width));p.fillText(H(R),N,C-2*w)}p.restore()}function f(y){let x=Math.round(y.
valToPos(0,"x",!0)),{left:p,top:w,width:L,height:C}=y.bbox;x<p||x>p+L||(y.ctx.fillStyle=F.color("trip"),y.ctx.fillRect(x,
w,Math.max(devicePixelRatio,1.5),C))}function b(y,x,p,w){let L=y.querySelectorAll(".sig b"),C=x.t.findLastIndex(S=>S<=0);
return C<0&&(C=0),S=>{let I=S.cursor.idx??C;p.forEach((z,H)=>{L[H].textContent=W(z.v[I],w)})}}function u(y,x){let p=x.charts[Number(
y.dataset.chart)],w=y.querySelector(".plot"),L=b(y,x,p.series,p.unit),C=new uPlot({width:w.clientWidth,height:140,padding:[
14,20,0,0],legend:{show:!1},cursor:{sync:{key:"vitals"},y:!1,points:{size:5},drag:{x:!0,y:!1}},scales:{x:{time:!1},y:{range:(S,I,z)=>[
Math.min(I??0,0),z>0?z*1.12:1]}},axes:s(p.unit),series:[{},...p.series.map((S,I)=>({label:S.name,stroke:()=>F.color("s"+
Math.min(I,2)),width:1.5,points:{show:!1},spanGaps:!0,dash:o[Math.min(I,2)]}))],hooks:{drawClear:[S=>i(S,x.spans??[])],draw:[
f],setCursor:[L]}},[x.t,...p.series.map(S=>S.v)],w);L(C),a.push({u:C,box:w})}function T(y){if(!y.charts?.length)return;let x=new Set(
document.querySelectorAll("[data-chart]")),p=new ResizeObserver(()=>{for(let w of x)w.clientWidth>0&&(x.delete(w),u(w,y));
for(let{u:w,box:L}of a)L.clientWidth>0&&L.clientWidth!==w.width&&w.setSize({width:L.clientWidth,height:140})});document.
querySelectorAll(".charts").forEach(w=>p.observe(w)),F.onChange(()=>a.forEach(({u:w})=>w.redraw(!1,!0)))}return{start:T}})();function Ke(){for(let e of document.querySelectorAll("[data-copy]"))e.addEventListener("click",async()=>{let n=document.
getElementById(e.dataset.copy);try{await navigator.clipboard.writeText(n.textContent),e.textContent="Copied"}catch{getSelection().
selectAllChildren(n),e.textContent="Selected"}})}var U=["user","dependency","std","runtime","label"],we=U.indexOf("label"),B=19,Ge=.5,fe=4;function Ht(){return{owner:U.map(
e=>F.color("f-"+e)),text:F.color("f-text"),rest:F.color("f-rest"),match:F.color("f-match"),mark:F.color("f-mark"),markText:F.
color("f-mark-text"),more:[1,2,3].map(e=>F.color("f-more"+e)),less:[1,2,3].map(e=>F.color("f-less"+e)),none:F.color("f-n\
one"),ground:F.color("raised"),focus:F.color("text"),muted:F.color("muted")}}function xe(e){let n=e.search(/[[(]/);return e.
slice(e.lastIndexOf("/",n<0?e.length:n)+1)}function Z(e,n){return n>=0&&e.funcs[n][2]===we}function ee(e,n){return Z(e,n)?
e.funcs[n][0]:xe(e.funcs[n][0])}function Dt(e,n,t){let r=e.depth[n];for(let o=n;o<e.end[n];){if(e.total[o]*t<Ge){o=e.end[o];
continue}e.depth[o]>r&&(r=e.depth[o]),o++}return r+1}function Ue(e,n){let t=e.map(({tree:o,zoom:a})=>Dt(o,a,o.total[a]>0?
n/o.total[a]:0));if(e.length===1)return Math.max(t[0],3);let r=t[1]-1;for(let o of e)o.base=r*B;return Math.max(r+t[0],3)}
function Ee(e,n,t,r){let o=Math.floor((r+n.top-e[0].base)/B),a=o<0?1:0,{tree:l,zoom:s}=e[a],i=Math.abs(o);if(i<l.depth[s]){
let b=s;for(;b>=0&&l.depth[b]>i;)b=l.parent[b];return[a,b]}let f=l.x[s]+t/n.width*l.total[s];for(let b=s;b<l.end[s];){if(f<
l.x[b]||f>=l.x[b]+l.total[b]){b=l.end[b];continue}if(l.depth[b]===i)return[a,b];b++}return[a,-1]}function Ve(e,n,t){let{
tree:r,zoom:o,width:a,height:l,top:s,base:i,dir:f,from:b}=n,u=Ht(),T=r.total[o]>0?a/r.total[o]:0,y=new Float64Array(4096).
fill(-1);e.font="11.5px "+F.font("mono"),e.textBaseline="middle";let x=e.measureText("m").width,p={ctx:e,c:u,glyph:x,view:n,
data:t,t:r};for(let w=r.parent[o];w>=0;w=r.parent[w])je(p,w,0,r.depth[w]*B-s,a,!0);for(let w=o;w<r.end[o];){let L=i+f*r.
depth[w]*B-s,C=r.total[w]*T;if((f>0?L>l:L<-B)||C===0){w=r.end[w];continue}if(r.depth[w]<b){w++;continue}let S=(r.x[w]-r.
x[o])*T;if(C<Ge){let I=Math.floor(S);L>-B&&L<l&&y[r.depth[w]]<I&&(e.fillStyle=u.rest,e.fillRect(I,L,1,B-1),y[r.depth[w]]=
I),w=r.end[w];continue}L>-B&&L<l&&je(p,w,S,L,C,!1),w++}}function It(e,n,t,r){if(!n.change)return r<0?e.rest:e.owner[r];let o=_e(
n.change[t]);return o>0?e.more[o-1]:o<0?e.less[-o-1]:e.none}function je({ctx:e,c:n,glyph:t,view:r,data:o,t:a},l,s,i,f,b){
let u=a.fn[l],T=u<0?-1:o.funcs[u][2],y=r.match&&u>=0&&r.match.has(u),x=b||r.match&&!y;e.globalAlpha=x?.4:a.change?1:[1,.86,
.93][u<0?0:u%3],e.fillStyle=y?n.match:It(n,a,l,T);let p=f>3?1:0;e.fillRect(s,i,f-p,B-1),y&&(e.fillStyle=n.text,e.fillRect(
s,i+B-3,f-p,2)),e.globalAlpha=b?.75:1;let w=s+fe,L=u<0?void 0:r.marks.get(u);L&&(w=Bt(e,n,L,s,i,f-p,t));let C=a.change?$e(
a.change[l]):"";Nt(e,C+(u<0?"all":ee(o,u)),n.text,w,i,s+f-fe,t),e.globalAlpha=1,(l===r.selected||l===r.hover)&&(e.strokeStyle=
n.focus,e.lineWidth=l===r.selected?2:1,e.strokeRect(s+1,i+1,Math.max(f-p-2,1),B-3))}function Bt(e,n,t,r,o,a,l){if(e.fillStyle=
n.mark,a<5)return e.fillRect(r,o,a,B-1),r+fe;e.strokeStyle=n.mark,e.lineWidth=2,e.strokeRect(r+1,o+1,a-2,B-3);let s=t.join(
" "),i=s.length*l+8;return i>a?r+fe:(e.fillRect(r,o,i,B-1),e.fillStyle=n.markText,e.fillText(s,r+4,o+B/2),r+i+fe)}function Nt(e,n,t,r,o,a,l){
let s=Math.floor((a-Math.max(r,0))/l);s<2||(e.fillStyle=t,e.fillText(n.length<=s?n:n.slice(0,s-1)+"…",Math.max(r,0),o+
B/2))}function de(e,n){let t=(e.fn??[]).length+1,r={n:t,graph:e,funcs:n,fn:new Int32Array(t),line:new Int32Array(t),depth:new Int32Array(
t),parent:new Int32Array(t),end:new Int32Array(t),self:new Float64Array(t),total:new Float64Array(t),x:new Float64Array(
t)};r.fn[0]=-1,r.parent[0]=-1;for(let o=1;o<t;o++){r.fn[o]=e.fn[o-1],r.line[o]=e.line[o-1];let a=o-1;for(let l=e.up[o-1];l>
0;l--)a=r.parent[a];r.parent[o]=a,r.depth[o]=r.depth[a]+1}return Te(r),r}function Te(e){for(let n=e.n-1;n>=0;n--)e.end[n]=
Math.max(e.end[n],n+1),n>0&&(e.end[e.parent[n]]=Math.max(e.end[e.parent[n]],e.end[n]))}function Se(e,n){let{self:t,total:r,
x:o,parent:a,n:l}=e;t.set(e.graph.self[n]),r.set(e.graph.self[n]);for(let[i,f]of e.graph.cut[n])r[i]+=f;for(let i=l-1;i>
0;i--)r[a[i]]+=r[i];let s=new Float64Array(l);for(let i=1;i<l;i++){let f=a[i];o[i]=o[f]+s[f],s[f]+=r[i]}e.type=e.graph.types[n],
e.whole=e.graph.wholes?.[n],e.graph.diff&&!e.change&&Qe(e)}function Ye(e,n){let t=0,r=0,o=0;for(let a=1;a<e.n;a++)n(e.fn[a])&&
(e.total[a]>0&&t++,a>=o&&(r+=e.total[a],o=e.end[a]));return{frames:t,sum:r}}function Xe(e,n){let t=n.length-1,r=-1;for(let o=1;o<
e.n;o++){if(e.fn[o]!==n[t]||r>=0&&e.total[o]<=e.total[r])continue;let a=t;for(let l=e.parent[o];a>0&&l>0&&e.fn[l]===n[a-
1];l=e.parent[l])a--;a===0&&(r=o)}return r}function me(e,n,t){let r=e.parent[n];if(r<0)return n;let o=n,a=!1;for(let l=r+
1;l<e.end[r];l=e.end[l])if(e.total[l]!==0){if(t>0&&a)return l;if(l===n){if(t<0)return o;a=!0}o=l}return n}function ge(e,n){
let t=n;for(let r=n+1;r<e.end[n];r=e.end[r])e.total[r]>0&&(t===n||e.total[r]>e.total[t])&&(t=r);return t}function ae({tree:e},n,t){return e.fn[t]<0?"all":n.funcs[e.fn[t]][0]}function Ot({tree:e},n,t){let r=e.fn[t]<0?-1:n.funcs[e.
fn[t]][1];return r<0?"":n.files[r]+(e.line[t]?":"+e.line[t]:"")}function ne({tree:e},n){return W(n*e.type.scale,e.type.unit)}
function V({tree:e},n){let t=e.whole??e.total[0];return Y(t?n/t:0)}function Me(e,n,t){let[r,o]=e.links?.[e.funcs[n]?.[1]]??
[-1,""];return r<0?"":e.folders[r]+o.replace("{}",String(Math.max(t,1)))}function Le(e,n){let t=document.createElement("\
a");return t.href=e,t.rel="noopener noreferrer",t.textContent=n,t}var Ae={user:"your code",dependency:"a dependency",std:"\
the standard library",runtime:"the runtime",label:"the value of a label"};function Je(e,n,t){let r=e.tree.fn[t];return r<
0?"":[Ae[U[n.funcs[r][2]]],Ot(e,n,t)].filter(Boolean).join(" · ")}function Ce(e,n,t){let r=e.tree,o=r.change?[ae(e,n,t),
Je(e,n,t),...ke(r,t)]:[ae(e,n,t),Je(e,n,t),ne(e,r.total[t])+" total, "+V(e,r.total[t])+" · "+ne(e,r.self[t])+" self, "+
V(e,r.self[t])],a=r.parent[t];a>0&&r.total[a]>0&&o.push(Y(r.total[t]/r.total[a])+" of "+ee(n,r.fn[a]));let l=(n.marks??[]).
filter(s=>s.fn===r.fn[t]);return{lines:o,findings:[...new Set(l.map(s=>s.id+": "+n.findings[s.finding]))]}}function ve(e,n,t=0,r=0){
if(e.hidden=!n,!n)return;let{lines:o,findings:a}=n;e.replaceChildren(...[...o,...a].map((s,i)=>{let f=document.createElement(
"div");return f.textContent=s,i>=o.length&&(f.className="finding-line"),f}));let l=e.getBoundingClientRect();e.style.left=
Math.max(8,Math.min(t+14,innerWidth-l.width-8))+"px",e.style.top=(r+18+l.height>innerHeight?Math.max(8,r-l.height-12):r+
18)+"px"}function Ze(e,n){let t=e.tree,r=[],{match:o}=e;if(o){let a=Ye(t,l=>o.has(l));r.push(a.frames?["Found ",V(e,a.sum),
" ("+ne(e,a.sum)+") in "+ue(a.frames)+" frames"]:["Found ","nothing",""])}if(e.selected>=0){let a=Ce(e,n,e.selected);r.push(
["",a.lines[0]," "+[...a.lines.slice(1,t.change?4:3),...a.findings].filter(Boolean).join(" · "),Me(n,t.fn[e.selected],t.
line[e.selected])])}else if(!e.match){let a=e.zoom?" in "+ae(e,n,e.zoom):"";t.change?r.push(["",ae(e,n,e.zoom),": "+ke(t,
e.zoom).join(" · ")]):r.push(["",ne(e,t.total[e.zoom]),(t.whole?" ("+V(e,t.total[e.zoom])+")":"")+" of "+t.type.name+a+
", "+ue(t.n-1)+" frames"])}return r.map(([a,l,s,i])=>{let f=document.createElement("span"),b=document.createElement("b");
return b.textContent=l,f.append(a,b,s),i&&f.append(" · ",Le(i,"source")),f})}function et(e,n){let t=document.createElement(
"button");return t.type="button",t.setAttribute("role","tab"),t.textContent=e,t.addEventListener("click",n),t}function te(e,n){
let t=document.createElement("span"),r=document.createElement("span");return r.className="key "+e,t.append(r,n),t}function tt(e,n){
let t=e.tree;if(t.change)return rt();let r={user:"your code",dependency:"dependencies",std:"standard library",runtime:"r\
untime"},o=new Float64Array(U.length);for(let l=1;l<t.n;l++){let s=l;for(;Z(n,t.fn[s])&&t.parent[s]>0;)s=t.parent[s];Z(n,
t.fn[s])||(o[n.funcs[t.fn[s]][2]]+=t.self[l])}let a=U.flatMap((l,s)=>o[s]>0?[te(l,r[l]+" "+V(e,o[s]))]:[]);return t.fn.some(
l=>Z(n,l))&&a.push(te("label","value of a label")),t.fn.some(l=>e.marks.has(l))&&a.push(te("mark","frame of a finding")),
a}function nt(e,n,t){let r=new Set(e.tree.fn),o=new Map;for(let a of n.marks??[]){if(!r.has(a.fn))continue;let l=o.get(a.
finding)??{id:a.id,fns:new Set};l.fns.add(a.fn),o.set(a.finding,l)}return[...o].sort(([a],[l])=>a-l).map(([a,{id:l,fns:s}])=>{
let i=document.createElement("div"),f=document.createElement("a");return i.setAttribute("role","group"),i.setAttribute("\
aria-label",l+": "+n.findings[a]),f.href=(n.page??"")+"#finding-"+a,f.title=n.findings[a],f.textContent=l,i.append(f,...[
...s].map(b=>{let u=document.createElement("button");return u.type="button",u.title=n.funcs[b][0],u.textContent=xe(n.funcs[b][0]),
u.addEventListener("click",()=>t(b)),u})),i})}var Pt=[0,.01,.05];function Qe(e){let n=t=>{let r=Float64Array.from(e.graph.self[t]);for(let[o,a]of e.graph.cut[t])r[o]+=
a;for(let o=e.n-1;o>0;o--)r[e.parent[o]]+=r[o];return r};e.sides=[n(0),n(1)],e.wholes=e.graph.wholes??[e.sides[0][0],e.sides[1][0]],
Re(e)}function Re(e){e.change=new Float64Array(e.n);let[n,t]=[e.sides,e.wholes],{diff:r,types:o}=e.graph,a=t[1]*o[1].scale;
for(let l=0;l<e.n;l++){let s=n[0][l]*o[0].scale-n[1][l]*o[1].scale,i=0;for(let f of[0,1])i+=r.sample[f]*n[f][l]*(1-n[f][l]/
t[f])*o[f].scale**2;Math.abs(s)>Math.max(2*Math.sqrt(Math.max(i,0)),r.noise*a)&&(e.change[l]=s/a)}}function _e(e){let n=0;
for(let t of Pt)Math.abs(e)>t&&n++;return Math.sign(e)*n}function zt(e){return(e>0?"+":"−")+Y(Math.abs(e))}function $e(e){
return e===0?"":(e>0?"▲":"▼")+Y(Math.abs(e)).replace(" ","")+" "}function ke(e,n){let{types:t}=e.graph,r=e.sides[1][n]*
t[1].scale,o=e.sides[0][n]*t[0].scale,a=t[0].unit,l=o-r,s=e.wholes[1]*t[1].scale;return[W(r,a)+" "+t[1].name+", "+W(o,a)+
" "+t[0].name,e.change[n]===0?"no change beyond sampling error and noise":(l>0?"+":"")+W(l,a)+", "+zt(l/s)+" of total "+
t[1].name]}function rt(){let e=["below 1 %","1 to 5 %","above 5 %"];return[...e.map((n,t)=>te("more"+(t+1),"▲ more, "+
n)),...e.map((n,t)=>te("less"+(t+1),"▼ less, "+n)),te("none","no change beyond sampling error and noise")]}function be(e,n){return e.sides?e.sides.some(t=>t[n]>0):e.total[n]>0}function qt(e){let n=new Set;for(let t=1;t<e.n;t++)
e.parent[t]>0&&be(e,t)&&n.add(e.fn[e.parent[t]]);return n}function st(e){let{types:n}=e.graph,t=s=>{let{self:i,total:f}=le(
e.sides?{...e,self:e.graph.self[s],total:e.sides[s]}:e),b=e.sides?n[s].scale:e.type.scale;return{flat:i.map(u=>u*b),cum:f.
map(u=>u*b)}},r=qt(e),o=t(0),a=e.sides?t(1):null,l=[];return o.cum.forEach((s,i)=>{let f={fn:i,path:[i],calls:r.has(i),flat:o.
flat[i],cum:s};a&&Object.assign(f,{flatChange:f.flat-a.flat[i],cumChange:s-a.cum[i]}),(s>0||a&&a.cum[i]>0)&&l.push(f)}),
l}function ot(e,n){let t=[];for(let r=n+1;r<e.end[n];r=e.end[r])be(e,r)&&t.push(r);return t}function at(e,n){let t=n.tree??
pe(e,n.fn),{types:r}=t.graph;return ot(t,n.node??0).map(o=>{let a=i=>({flat:t.selves[i][o]*r[i].scale,cum:t.sides[i][o]*
r[i].scale}),l=t.sides?a(0):{flat:t.self[o]*t.type.scale,cum:t.total[o]*t.type.scale};if(t.sides){let i=a(1);Object.assign(
l,{flatChange:l.flat-i.flat,cumChange:l.cum-i.cum})}let s=t.fn[o];return{...l,fn:s,path:[...n.path,s],tree:t,node:o,calls:ot(
t,o).length>0}})}function Fe(e,n){let t=n==="flat"?"cum":"flat",r=(o,a)=>Math.abs(o[`${a}Change`]??o[a]);return e.sort((o,a)=>r(
a,n)-r(o,n)||r(a,t)-r(o,t)||o.fn-a.fn)}function Wt(e,n){return e===0?"0":(e>0?"+":"")+W(e,n)}function lt(e){let{unit:n}=e.
sides?e.graph.types[0]:e.type,t=(e.whole??e.total[0])*e.type.scale;return["flat","cum"].flatMap(r=>[[r,r==="flat"?"Flat":
"Cum",o=>W(o[r],n)],e.sides?["","change",o=>Wt(o[`${r}Change`],n)]:["","share",o=>Y(t?o[r]/t:0)]])}function ye(e,n){let t=[];for(let r=1;r<e.n;){if(e.fn[r]!==n){r++;continue}be(e,r)&&t.push(r),r=e.end[r]}return t}function it(e,n){
let t=e.sides??[],r={parent:[-1],fn:[n],self:[0],total:[0],line:[0],most:[0],sides:t.map(()=>[0]),selves:t.map(()=>[0])},
o=new Map,a=e.funcs;function l(i,f){let b=i*a+f,u=o.get(b);if(u===void 0){u=r.fn.length,o.set(b,u),r.parent.push(i),r.fn.
push(f),r.self.push(0),r.total.push(0),r.line.push(0),r.most.push(0);for(let T of[...r.sides,...r.selves])T.push(0)}return u}
function s(i,f,b=f){r.total[i]+=e.total[f],e.total[b]>r.most[i]&&(r.most[i]=e.total[b],r.line[i]=e.line[b]),r.sides.forEach(
(u,T)=>{u[i]+=t[T][f]})}return{nodes:r,step:l,add:s}}function pe(e,n){let{nodes:t,step:r,add:o}=it(e,n),a=[0];for(let l of ye(
e,n))for(let s=l;s<e.end[l];s++){let i=e.depth[s]-e.depth[l];i>0&&(a[i]=r(a[i-1],e.fn[s])),o(a[i],s),t.self[a[i]]+=e.self[s],
t.selves.forEach((f,b)=>{f[a[i]]+=e.graph.self[b][s]})}return ut(e,t)}function ct(e,n){let{nodes:t,step:r,add:o}=it(e,n);
for(let a of ye(e,n)){let l=0;o(0,a);for(let s=e.parent[a];s>0;s=e.parent[s])l=r(l,e.fn[s]),o(l,a,s)}return ut(e,t)}function ut(e,n){
let t=n.fn.length,r=Array.from({length:t},()=>[]);for(let s=1;s<t;s++)r[n.parent[s]].push(s);let o={n:t,graph:e.graph,type:e.
type,whole:e.whole??e.total[0],funcs:e.funcs,fn:new Int32Array(t),line:new Int32Array(t),depth:new Int32Array(t),parent:new Int32Array(
t),end:new Int32Array(t),self:new Float64Array(t),total:new Float64Array(t),x:new Float64Array(t)};e.sides&&(o.sides=e.sides.
map(()=>new Float64Array(t)),o.selves=e.sides.map(()=>new Float64Array(t)),o.wholes=e.wholes);let a=[[0,-1,0,0]],l=0;for(;a.
length;){let[s,i,f,b]=a.pop(),u=l++;o.fn[u]=n.fn[s],o.parent[u]=i,o.depth[u]=f,o.x[u]=b,o.self[u]=n.self[s],o.total[u]=n.
total[s],o.line[u]=n.line[s],o.sides?.forEach((x,p)=>{x[u]=n.sides[p][s]}),o.selves?.forEach((x,p)=>{x[u]=n.selves[p][s]});
let T=r[s].sort((x,p)=>n.total[p]-n.total[x]||n.fn[x]-n.fn[p]),y=b;for(let x of T)y+=n.total[x];for(let x of T.reverse())
y-=n.total[x],a.push([x,u,f+1,y])}return Te(o),o.sides&&Re(o),o}function le(e){let n=new Float64Array(e.funcs),t=new Float64Array(
e.funcs),r=new Int32Array(e.funcs),o=[];for(let a=1;a<e.n;a++){for(;o.length>=e.depth[a];)r[o.pop()]--;let l=e.fn[a];n[l]+=
e.self[a],r[l]===0&&(t[l]+=e.total[a]),r[l]++,o.push(l)}return{self:n,total:t}}function He(e,n=e.keys()){let t=-1;for(let r of n)
e[r]>(t<0?0:e[t])&&(t=r);return t}function ft(e,n){let t=n.toLowerCase().split("|").map(l=>l.trim()).filter(Boolean);if(!t.length)return null;let r=l=>t.some(
s=>l.includes(s)),o=(e.files??[]).map(l=>r(l.toLowerCase())),a=new Set;return e.funcs.forEach(([l,s],i)=>{(r(l.toLowerCase())||
o[s])&&a.add(i)}),a}function Kt(e,n){let t=new Uint8Array(e.n);for(let r=1;r<e.n;r++)t[r]=t[e.parent[r]]||n.has(e.fn[r])?
1:0;return t}function mt(e,{focus:n,ignore:t,from:r}){let[o,a,l]=[n,t,r].map(b=>b&&Kt(e,b)),s=b=>(!o||o[b])&&!(a&&a[b])&&
(!l||l[b]),i=(b,u)=>b.reduce((T,y)=>T+y,0)+e.graph.cut[u].reduce((T,[,y])=>T+y,0),f={...e.graph,wholes:e.graph.self.map(
i),lines:{fn:[],line:[],self:[],total:[]},self:e.graph.self.map(b=>b.map((u,T)=>s(T)?u:0)),cut:e.graph.cut.map(b=>b.filter(
([u])=>s(u)))};return de(l?jt(e,f,l):f,e.funcs)}function jt(e,n,t){let r=[{depth:0,children:new Map}],o=new Int32Array(e.
n);for(let s=1;s<e.n;s++){if(!t[s])continue;let i=r[o[e.parent[s]]];i.children.has(e.fn[s])||(i.children.set(e.fn[s],r.length),
r.push({fn:e.fn[s],line:e.line[s],depth:i.depth+1,children:new Map})),o[s]=i.children.get(e.fn[s])}let a=s=>{let i=new Array(
r.length).fill(0);return s.forEach((f,b)=>{i[o[b]]+=f}),i},l=n.cut.map(s=>s.map(([i,f])=>[o[i],f]));return Gt({...n,self:n.
self.map(a),cut:l},r)}function Gt(e,n){let t=[...e.self[e.default]];for(let[s,i]of e.cut[e.default])t[s]+=i;for(let s=n.
length-1;s>=0;s--)for(let i of n[s].children.values())t[s]+=t[i];let r=[],o=[0];for(;o.length;){let s=o.pop();r.push(s);
for(let i of[...n[s].children.values()].sort((f,b)=>t[f]-t[b]))o.push(i)}let a=new Int32Array(n.length);r.forEach((s,i)=>{
a[s]=i});let l=r.slice(1);return{...e,fn:l.map(s=>n[s].fn),line:l.map(s=>n[s].line),up:l.map((s,i)=>n[r[i]].depth+1-n[s].
depth),self:e.self.map(s=>r.map(i=>s[i])),cut:e.cut.map(s=>s.map(([i,f])=>[a[i],f]))}}function De(e,n){if(e.hashes)return e.
hashes;let t=Ie(n);e.hashes=new Uint32Array(e.n);for(let r=1;r<e.n;r++)e.hashes[r]=Be(e.hashes[e.parent[r]],t[e.fn[r]],e.
depth[r]);return e.hashes}function Ie(e){return e.hashes??=e.funcs.map(([n])=>{let t=2166136261;for(let r=0;r<n.length;r++)
t=Math.imul(t^n.charCodeAt(r),16777619);return t}),e.hashes}function Be(e,n,t){return Math.imul(e^e>>>15^n,739982445)+t}
function Ne(e,n,t){return t?Math.max(De(e,n).indexOf(t),0):0}function Ut(e,n,t){let r=e.graph.lines,o=[];if(r.fn?.forEach((s,i)=>{s===t&&o.push({line:r.line[i],self:r.self[n][i],total:r.
total[n][i]})}),o.length)return{rows:o,exact:!0};let a=new Map,l=s=>(a.has(s)||a.set(s,{line:s,self:0,total:0}),a.get(s));
for(let s of ye(e,t))l(e.line[s]).total+=e.total[s];for(let s=1;s<e.n;s++)e.fn[s]===t&&(l(e.line[s]).self+=e.self[s]);return{
rows:[...a.values()].sort((s,i)=>s.line-i.line),exact:!1}}function q(e,n,t){let r=document.createElement(e);return r.append(
n),t&&(r.className=t),r}function Vt(e){let n="http://www.w3.org/2000/svg",t=document.createElementNS(n,"svg");t.setAttribute(
"class","share"),t.setAttribute("viewBox","0 0 100 6"),t.setAttribute("preserveAspectRatio","none"),t.setAttribute("aria\
-hidden","true");for(let[r,o]of[["track",100],["fill",Math.min(100*e,100)]]){let a=document.createElementNS(n,"rect");a.
setAttribute("class",r),a.setAttribute("width",String(o)),a.setAttribute("height","6"),t.append(a)}return t}function pt(e,n,t,r){
let o=e.tree,{rows:a,exact:l}=Ut(o,t,r),s=document.createElement("table"),i=document.createElement("tr");for(let[T,y]of[
["Line","num"],["Self","num"],["Share","num"],["With callees","num"],["Share","num"],["",""]]){let x=q(T?"th":"td",T,y);
T&&(x.scope="col"),i.append(x)}let f=document.createElement("tbody"),b=o.whole??o.total[0];for(let T of a){let y=document.
createElement("tr"),x=Me(n,r,T.line),p=q("th",x?Le(x,String(T.line)):T.line?String(T.line):"–","num");p.scope="row",y.
append(p,q("td",ne(e,T.self),"num"),q("td",V(e,T.self),"num"),q("td",ne(e,T.total),"num"),q("td",V(e,T.total),"num"),q("\
td",Vt(b?T.total/b:0),"barcell")),f.append(y)}if(s.append(q("thead",i),f),l)return[s];let u=q("p","The page has every li\
ne only for the heaviest functions. In this function, each frame counts at its heaviest line.","note");return[s,u]}var X=(()=>{let e={width:0,height:0,top:0,match:null,marks:new Map},n=[],t=[],r=[],o,a,l,s,i,f,b,u=0,T=0,y="graph",x=-1,
p=[],w=0,L=null,C=()=>{};function S(c){return a.querySelector(c)}function I(c,m={}){return{tree:c,zoom:0,base:0,dir:1,from:0,
hover:-1,selected:-1,...m}}function z(c=w){return{...e,...p[c]}}function H(){performance.clearMeasures("flame");let c=performance.
now();if(e.width=l.clientWidth,!e.width)return;let m=Ue(p,e.width)*B,g=parseFloat(getComputedStyle(l).maxHeight)||m;e.height=
Math.min(m,g),S(".spacer").style.height=m-e.height+"px",e.top=Math.min(l.scrollTop,m-e.height);let E=devicePixelRatio||1,
[k,ie]=[Math.round(e.width*E),Math.round(e.height*E)];(s.width!==k||s.height!==ie)&&(s.width=k,s.height=ie,s.style.width=
e.width+"px",s.style.height=e.height+"px"),i.setTransform(E,0,0,E,0,0),i.clearRect(0,0,e.width,e.height),p.forEach((Qt,Ct)=>Ve(
i,z(Ct),o)),performance.measure("flame",{start:c,end:performance.now()})}function R(){b.replaceChildren(...Ze(z(),o)),y===
"lines"&&x>=0&&S(".lines").replaceChildren(...pt(A(),o,T,x))}function N(c){p[0].zoom=c,H(),R(),C(!0)}function O(c,m){for(let k of p)
k.selected=-1;w=c;let g=p[c];g.selected=m;let E=g.base+g.dir*g.tree.depth[m]*B;(E<l.scrollTop||E+B>l.scrollTop+e.height)&&
(l.scrollTop=E-e.height/2),H(),R(),C(!1)}function j(c){e.match=ft(o,c),y!=="graph"&&M(),H(),R(),C(!1)}function $(){for(let c of p)
c.selected=-1;p[0].zoom=0,w=0,S("input").value="",l.scrollTop=0,C(!0),j("")}function G(c){T=c;let m=n[u];if(Se(m,c),y===
"graph"){let g=p[0];for(;g.zoom>0&&m.total[g.zoom]===0;)g.zoom=m.parent[g.zoom]}else h(x);S(".types select").value=String(
c),S(".legend").replaceChildren(...tt({...e,tree:m},o)),H(),R(),C(!0)}function K(c){u=c;let m=o.graphs[c];t[c]??=de(m,o.
funcs.length),n[c]??=L?mt(t[c],L):t[c],r.length=0,p=[I(n[c])],w=0,l.scrollTop=0,a.querySelectorAll(".tabs button").forEach(
(E,k)=>{E.setAttribute("aria-selected",String(k===c)),E.tabIndex=k===c?0:-1}),S(".types select").replaceChildren(...m.types.
map((E,k)=>new Option(E.name,String(k),!1,k===m.default))),S(".types").hidden=m.types.length<2,S(".marks").replaceChildren(
...nt(z(),o,v)),Se(n[c],m.default),y!=="graph"&&(x=re()),G(m.default)}function re(){let{self:c,total:m}=le(n[u]);return x>=
0&&m[x]>0?x:Math.max(He(c),0)}function Q(c){let m=p[w];m.selected>=0&&m.tree.fn[m.selected]>=0&&(x=m.tree.fn[m.selected]),
y=c,r.length=0;for(let g of a.querySelectorAll(".modes button"))g.setAttribute("aria-pressed",String(g.dataset.mode===y));
a.dataset.mode=y,S(".function").hidden=y==="graph",S(".lines").hidden=y!=="lines",l.hidden=y==="lines",S(".legend").hidden=
y==="lines",l.scrollTop=0,y==="graph"?(p=[I(n[u])],w=0):h(re()),H(),R(),C(!0)}function h(c){x=c;let m=n[u];w=0,p=y==="sa\
ndwich"?[I(pe(m,c),{selected:0}),I(ct(m,c),{dir:-1,from:1})]:[I(pe(m,c),{selected:0})],M(),y==="sandwich"&&(e.width=l.clientWidth,
H(),l.scrollTop=Math.max(0,p[0].base-e.height/2))}function d(c){c<0||c===x||(r.push(x),h(c),H(),R(),C(!0))}function M(){
let{self:c,total:m}=le(n[u]),g=[...m.keys()].filter(k=>m[k]>0&&(!e.match||e.match.has(k))).sort((k,ie)=>m[ie]-m[k]||c[ie]-
c[k]).slice(0,300);g.includes(x)||g.unshift(x);let E=k=>V(A(),m[k])+"  "+ee(o,k);S(".function select").replaceChildren(...g.
map(k=>new Option(E(k),String(k),!1,k===x)))}function A(){return{...e,tree:n[u]}}function v(...c){if(y!=="graph"){d(c.at(
-1));return}let m=n[u],g=Xe(m,c);if(g<0)return;let E=g;for(;E>0&&m.total[g]/m.total[E]>.12;)E=m.parent[E];p[0].zoom=E,H(),
C(!0),O(0,g)}function D(){let{tree:c,zoom:m,selected:g}=p[0],E=g<0?m:g;return{ArrowDown:()=>O(0,g<0?m:ge(c,E)),ArrowUp:()=>{
c.parent[E]<0||(E===m&&N(c.parent[E]),O(0,c.parent[E]))},ArrowLeft:()=>{E!==m&&O(0,me(c,E,-1))},ArrowRight:()=>{E!==m&&O(
0,me(c,E,1))},Enter:()=>N(E),Escape:()=>{m>0?N(c.parent[m]):$()},Home:$}}function P(){let{tree:c,selected:m}=p[w],g=Math.
max(m,0),E=()=>O(w,ge(c,g)),k=()=>O(c.parent[g]>0?w:0,Math.max(c.parent[g],0));return{ArrowDown:w===0?E:k,ArrowUp:()=>{w===
1?E():g>0?k():p[1].tree.n>1&&O(1,ge(p[1].tree,0))},ArrowLeft:()=>O(w,me(c,g,-1)),ArrowRight:()=>O(w,me(c,g,1)),Enter:()=>d(
c.fn[g]),Escape:()=>oe(),Home:()=>O(0,0)}}function oe(){r.length?(h(r.pop()),H(),R(),C(!0)):Q("graph")}function se(c){let m=y===
"graph"?D():P();!m[c.key]||c.ctrlKey||c.metaKey||c.altKey||(c.preventDefault(),m[c.key]())}function bt(){s.addEventListener(
"pointermove",c=>{let[m,g]=Ee(p,e,c.offsetX,c.offsetY);p.some((E,k)=>E.hover!==(k===m?g:-1))&&(p.forEach((E,k)=>{E.hover=
k===m?g:-1}),H()),c.pointerType==="mouse"&&ve(f,g<0?null:Ce(z(m),o,g),c.clientX,c.clientY)}),s.addEventListener("pointer\
leave",()=>{for(let c of p)c.hover=-1;ve(f,null),H()}),s.addEventListener("click",c=>{let[m,g]=Ee(p,e,c.offsetX,c.offsetY);
if(!(g<0)){if(y==="sandwich"){d(p[m].tree.fn[g]);return}p[0].selected=g,N(g)}})}function yt(){let c=S(".tabs");c.replaceChildren(
...o.graphs.map((m,g)=>et(m.title,()=>K(g)))),c.addEventListener("keydown",m=>{let g={ArrowRight:1,ArrowLeft:-1}[m.key];
g&&(K((u+g+o.graphs.length)%o.graphs.length),c.children[u].focus())})}function wt(c,m){if(a=document.getElementById("fla\
me"),!(!a||!c.graphs?.length)){o=c,l=S(".stage"),s=l.querySelector("canvas"),i=s.getContext("2d"),f=S(".tip"),b=S(".stat\
us");for(let g of o.marks??[]){let E=e.marks.get(g.fn)??[];e.marks.set(g.fn,E.includes(g.id)?E:[...E,g.id])}yt(),bt(),l.
addEventListener("keydown",se),l.addEventListener("scroll",H);for(let g of a.querySelectorAll(".modes button"))g.addEventListener(
"click",()=>Q(g.dataset.mode));S(".types select").addEventListener("change",g=>G(Number(g.target.value))),S(".function s\
elect").addEventListener("change",g=>d(Number(g.target.value))),S("input").addEventListener("input",g=>j(g.target.value)),
S("input").addEventListener("keydown",xt),S(".reset").addEventListener("click",$),K(o.marks?.[0]?.graph??0),m&&(C=m),new ResizeObserver(
H).observe(a),F.onChange(H)}}function xt(c){if(c.key!=="Enter"||!e.match?.size)return;let{total:m}=le(n[u]),g=He(m,e.match);
g>=0&&v(g)}function Et(c){let m=o.marks[c];y!=="graph"&&Q("graph"),u!==m.graph&&K(m.graph),v(m.fn),a.scrollIntoView({block:"\
start"}),l.focus({preventScroll:!0})}function Tt(c){u!==c&&K(c),l.focus({preventScroll:!0})}function St(){let{zoom:c,selected:m}=p[0],
g=E=>y==="graph"&&E>0?De(n[u],o)[E]:0;return{graph:u,type:o.graphs[u].types[T].name,view:y,zoom:g(c),at:g(m),fn:y==="gra\
ph"?"":o.funcs[x]?.[0]??"",find:S("input").value}}function Mt(c){let m=C;C=()=>{},L=c.filter,n.length=0,K(Math.min(c.graph,
o.graphs.length-1)),y!=="graph"&&Q("graph");let g=o.graphs[u].types.findIndex(E=>E.name===c.type);if(g>=0&&g!==T&&G(g),S(
"input").value=c.find,j(c.find),c.view==="sandwich"||c.view==="lines")x=o.funcs.findIndex(([E])=>E===c.fn),Q(c.view);else{
p[0].zoom=Ne(n[u],o,c.zoom),H();let E=Ne(n[u],o,c.at);E>0?O(0,E):R()}C=m}function Lt(){return{tree:n[u],column:T,match:e.
match}}function At(){let c=p[w];return c.selected>0||y!=="graph"&&c.selected===0?ae(z(),o,c.selected):""}return{start:wt,
showMark:Et,showGraph:Tt,reset:$,state:St,restore:Mt,shownFunctions:Lt,selectedName:At,jump:v,keys:se}})();function ht(){let e=()=>{let t=location.hash.startsWith("#finding-")?document.getElementById(location.hash.slice(1)):null;
t&&(t.open=!0)};addEventListener("hashchange",e),e();let n=[];addEventListener("beforeprint",()=>{n=[...document.querySelectorAll(
"details.finding:not([open])")];for(let t of n)t.open=!0}),addEventListener("afterprint",()=>{for(let t of n)t.open=!1})}var _t=50;function $t(e,n,t,{shown:r,show:o,changed:a}){let l=new Set,s=new WeakMap,i="flat",f=30,b=[],u,T;function y(){
let h=r(),d=[h.tree,h.column,h.match,i,f];if(d.every((D,P)=>D===b[P]))return;b=d,u=h.tree,T=lt(u);let M=s.get(R(document.
activeElement))?.key,A=Fe(st(u).filter(D=>!h.match||h.match.has(D.fn)),i);e.replaceChildren(...A.length?x(A):[q("p","No \
function matches.","empty")]);let v=H();v.length&&(v[0].tabIndex=0),M!==void 0&&N(v.find(D=>s.get(D).key===M)??v[0])}function x(h){
let d=_("table","treegrid","cards functions");d.setAttribute("aria-label","Functions"),d.setAttribute("aria-describedby",
"functions-how");let M=_("thead","rowgroup");M.append(p());let A=_("tbody","rowgroup");if(A.append(...h.slice(0,f).flatMap(
(D,P)=>w(D,P,h.length))),d.append(M,A),h.length<=f)return[d];let v=q("button","Show more: "+ue(h.length-f)+" functions a\
re left","quiet more");return v.type="button",v.addEventListener("click",()=>{let D=f;f+=200,a(!1),N(H().filter(P=>P.ariaLevel===
"1")[D])}),[d,v]}function p(){let h=_("tr","row"),d=_("th","columnheader");return d.scope="col",d.append("Function"),h.append(
d,...T.map(([M,A])=>{let v=_("th","columnheader","num");if(v.scope="col",!M)return v.append(A),v;let D=q("button",A+(M===
i?" ▾":""),"link");return D.type="button",D.dataset.sort=M,D.addEventListener("click",()=>{i=M,a(!0),e.querySelector("\
[data-sort="+M+"]")?.focus()}),M===i&&v.setAttribute("aria-sort","descending"),v.append(D),v})),h}function w(h,d,M){h.key=
Yt(t,h.path);let A=_("tr","row");return s.set(A,h),A.tabIndex=-1,A.setAttribute("aria-level",String(h.path.length)),A.setAttribute(
"aria-posinset",String(d+1)),A.setAttribute("aria-setsize",String(M)),h.calls&&A.setAttribute("aria-expanded",String(l.has(
h.key))),A.append(C(A,h),...T.map(([v,D,P],oe)=>{let se=_("td","gridcell","num");return se.append(P(h)),se.dataset.label=
v?D.toLowerCase():T[oe-1][1].toLowerCase()+" "+D,se})),h.calls&&l.has(h.key)?[A,...L(h)]:[A]}function L(h){let d=Fe(at(u,
h),i);return d.flatMap((M,A)=>w(M,A,d.length))}function C(h,d){let M=_("th","rowheader");M.scope="row";let A=q("span",d.
calls?l.has(d.key)?"▾":"▸":"","twist");A.setAttribute("aria-hidden","true"),A.addEventListener("click",()=>{d.calls&&
O(h)});let v=q("button",t.funcs[d.fn][0],"link symbol");v.type="button",v.tabIndex=-1,v.addEventListener("click",()=>o(d.
path));let D=q("div",v);D.append(q("span",[...S(d.fn),...I(d.fn)].join(" · "),"sub"));let P=q("div",A,"tree");return P.
style.setProperty("--above",String(d.path.length-1)),P.append(D),M.append(P),M}function S(h){let[,d,M]=t.funcs[h];return M===
we?[U[M],t.files[d]]:[U[M],...d<0?[]:[t.files[d].split("/").slice(-2).join("/")]]}function I(h){return[...new Set((t.marks??
[]).filter(d=>d.fn===h).map(d=>d.id))]}function z(h,d){let M=T.map(([,,P])=>P(d)),A=d.path.slice(0,-1).map(P=>ee(t,P)).reverse(),
v=I(d.fn),D=d.calls?h.ariaExpanded==="true"?"What it calls is open":"Right shows what it calls":"It calls nothing that w\
as counted";return[t.funcs[d.fn][0]+(A.length?", called by "+A.join(", by "):""),[["itself",0],["with what it calls",2]].
map(([P,oe])=>M[oe]+" "+P+", "+M[oe+1]+(u.sides?" against the base":" of all")).join("; "),(Z(t,d.fn)?"It is ":"In ")+[Ae[U[t.
funcs[d.fn][2]]],...S(d.fn).slice(1)].join(", "),...v.length?["A place of "+v.join(", ")]:[],D].join(". ")+"."}function H(){
return[...e.querySelectorAll("tbody tr")]}function R(h){return h&&e.contains(h)?h.closest("tbody tr"):null}function N(h){
h?.focus()}function O(h){let d=s.get(h),M=!l.delete(d.key);if(M)l.add(d.key),h.after(...L(d));else for(;Number(h.nextElementSibling?.
ariaLevel)>d.path.length;)h.nextElementSibling.remove();h.setAttribute("aria-expanded",String(M)),h.querySelector(".twis\
t").textContent=M?"▾":"▸",R(document.activeElement)===h?n.textContent=z(h,d):e.querySelector('tbody tr[tabindex="0"]')||
(h.tabIndex=0),a(!1)}function j(h){let d=h.previousElementSibling;for(;d&&Number(d.ariaLevel)>=Number(h.ariaLevel);)d=d.
previousElementSibling;return d}function $(h){let d=R(h.target);if(!d||h.ctrlKey||h.metaKey||h.altKey)return;let M=d.ariaExpanded,
A={ArrowDown:()=>N(d.nextElementSibling),ArrowUp:()=>N(d.previousElementSibling),ArrowRight:()=>{M==="true"?N(d.nextElementSibling):
M&&O(d)},ArrowLeft:()=>{M==="true"?O(d):N(j(d))},Home:()=>N(H()[0]),End:()=>N(H().at(-1)),Enter:()=>o(s.get(d).path)}[h.
key];A&&(h.preventDefault(),h.stopPropagation(),A())}function G(h){let d=R(h.target);if(!d)return;for(let A of e.querySelectorAll(
'tbody tr[tabindex="0"]'))A.tabIndex=-1;d.tabIndex=0;let M=z(d,s.get(d));n.textContent!==M&&(n.textContent=M)}e.addEventListener(
"keydown",$),e.addEventListener("focusin",G);function K(){return{sort:i,open:[...l].slice(-_t).map(h=>h.toString(16)).join(
".")}}function re({sort:h,open:d}){i=h==="cum"?"cum":"flat",l.clear();for(let M of d.split("."))M&&l.add(Number.parseInt(
M,16));b=[]}function Q(){let h=s.get(R(document.activeElement));return h?t.funcs[h.fn][0]:""}return{refresh:y,state:K,restore:re,
focusedName:Q}}function _(e,n,t){let r=document.createElement(e);return r.setAttribute("role",n),t&&(r.className=t),r}function Yt(e,n){
let t=Ie(e);return n.reduce((r,o,a)=>Be(r,t[o],a+1),0)>>>0}function Xt(e){let n=document.querySelector(".stage");X.jump(
...e),n.scrollIntoView({block:"center"}),n.focus({preventScroll:!0})}function dt(e){let n=document.getElementById("funct\
ions");if(!n){X.start(e);return}let t,r=()=>{n.open&&t.refresh()};t=$t(document.getElementById("function-table"),document.
getElementById("row-said"),e,{shown:X.shownFunctions,show:Xt,changed:r}),X.start(e,r),n.addEventListener("toggle",r)}document.documentElement.classList.add("js");F.start();ht();var gt=JSON.parse(document.getElementById("data").textContent);
We.start(gt.vitals);dt(gt.flame);Ke();for(let e of document.querySelectorAll("[data-mark]"))e.addEventListener("click",()=>X.
showMark(Number(e.dataset.mark)));for(let e of document.querySelectorAll("[data-graph]"))e.addEventListener("click",()=>X.
showGraph(Number(e.dataset.graph)));})();

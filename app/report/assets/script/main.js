// Made of app/report/web/main.ts by `make web`.
"use strict";(()=>{var Ie=[[1099511627776," TiB",1],[1073741824," GiB",1],[1048576," MiB",1],[1024," KiB",1],[1," B",0]],Lt=[[86400," days",
2],[3600," h",2],[60," min",10],[1," s",1],[.001," ms",1],[1e-6," µs",1],[1e-9," ns",0]],At=[[1e12," T",1],[1e9," G",1],
[1e6," M",1],[1e3," k",0]];function Pe(e){return Number(e.toPrecision(3))}function Ne(e){return e.replace(/\.?0+(e|$)/,"\
$1")}function Z(e){if(e<0)return"−"+Z(-e);if(e===0)return"0";if(e<5e-7)return"<0.000001";if(e>=1e15)return Ne(e.toExponential(
2));if(e>=99.95)return e.toFixed(0).replace(/\B(?=(\d{3})+$)/g,",");let n=2-Math.floor(Math.log10(Pe(e))+1e-9),t=e.toFixed(
Math.min(n,6));return t.includes(".")?Ne(t):t}function Ct(e){return Math.abs(e)<1?Number(e.toPrecision(2)):Math.round(10*
e)/10}function ie(e,n){if(e<0)return"−"+ie(-e,n);for(let[t,r,o]of n)if(e>0?Pe(e/t)>=o:t===1)return Z(e/t)+r;return Z(e)}
function pe(e){return e<0?"−"+pe(-e):Math.round(e)<1e4?Z(e):ie(e,At)}function kt(e,n){switch(n){case"bytes":return ie(
e,Ie);case"bytes/s":return ie(e,Ie)+"/s";case"seconds":return ie(e,Lt);case"share":return Z(Ct(100*e))+" %";case"cores":
return Z(e)==="1"?"1 core":Z(e)+" cores";case"1/s":return pe(e)+"/s";case"count":case"":return pe(e)}return pe(e)+" "+n}
function W(e,n){return e==null||!Number.isFinite(e)?"–":kt(e,n).replaceAll(" "," ")}function ce(e){return W(e,"count")}
function $(e){return W(e,"share")}function Be(e){let n=e<0?"−":"+",t=Math.round(Math.abs(e));if(t===0)return"0:00";let r=l=>String(
l).padStart(2,"0"),o=Math.floor(t/3600),s=Math.floor(t/60)%60;return n+(o?o+":"+r(s):s)+":"+r(t%60)}var H=(()=>{let e=document.documentElement,n=matchMedia("(prefers-color-scheme: dark)"),t=[],r=document.createElement("s\
pan");r.hidden=!0,document.body.append(r);let o="",s=!1,l=()=>!s&&(o?o==="dark":n.matches);function a(){e.style.colorScheme=
s?"light":o;let u=document.getElementById("theme");u.textContent=l()?"Light":"Dark";for(let T of t)T()}function i(){document.
getElementById("theme").addEventListener("click",()=>{o=l()?"light":"dark",a()}),n.addEventListener("change",a),addEventListener(
"beforeprint",()=>{s=!0,a()}),addEventListener("afterprint",()=>{s=!1,a()}),a()}function f(u){return r.style.color="var(\
--"+u+")",getComputedStyle(r).color}function b(u){return getComputedStyle(e).getPropertyValue("--"+u).trim()}return{start:i,
color:f,font:b,onChange:u=>t.push(u)}})();var Oe=(()=>{let t=Array.from({length:50},(y,E)=>2**E),r=[1,2,5,10,15,30,60,120,300,600,900,1800,3600,7200,14400,43200,86400],
o=[[],[6,3],[1.5,3]],s=[];function l(y,E){return y===0?"0":W(y,E).replace(/\/s$|\u00a0cores?$/,"")}function a(y){let p={
font:"11px "+H.font("sans"),stroke:()=>H.color("muted"),grid:{stroke:()=>H.color("line"),width:1},ticks:{show:!1}};return[
{...p,incrs:r,space:56,size:22,gap:4,values:(w,L)=>L.map(Be)},{...p,size:58,gap:6,space:26,...y.startsWith("bytes")?{incrs:t}:
{},values:(w,L)=>L.map(C=>l(C,y))}]}function i(y,E){let{ctx:p}=y,w=devicePixelRatio,{left:L,top:C,width:S,height:I}=y.bbox,
z=[],F=R=>R.names.size===1?[...R.names][0]:[...R.names][0]+" +"+(R.names.size-1);p.save(),p.font=10*w+"px "+H.font("sans"),
p.textBaseline="bottom",p.textAlign="left";for(let R of E){let P=y.valToPos(R.from,"x",!0),B=Math.max(y.valToPos(R.to,"x",
!0),P+1.5*w);if(B<L||P>L+S)continue;let j=Math.max(P,L),_=Math.min(B,L+S);p.fillStyle=R.to>R.from?H.color("span"):H.color(
"line-strong"),p.fillRect(j,C,_-j,I);let G=z[z.length-1],K=R.label.split(", ");G&&j<G.x+p.measureText(F(G)+" +9").width+
6*w?K.forEach(ne=>G.names.add(ne)):z.push({x:j,names:new Set(K)})}p.fillStyle=H.color("muted");for(let R of z){let P=Math.
max(L,Math.min(R.x,L+S-p.measureText(F(R)).width));p.fillText(F(R),P,C-2*w)}p.restore()}function f(y){let E=Math.round(y.
valToPos(0,"x",!0)),{left:p,top:w,width:L,height:C}=y.bbox;E<p||E>p+L||(y.ctx.fillStyle=H.color("trip"),y.ctx.fillRect(E,
w,Math.max(devicePixelRatio,1.5),C))}function b(y,E,p,w){let L=y.querySelectorAll(".sig b"),C=E.t.findLastIndex(S=>S<=0);
return C<0&&(C=0),S=>{let I=S.cursor.idx??C;p.forEach((z,F)=>{L[F].textContent=W(z.v[I],w)})}}function u(y,E){let p=E.charts[Number(
y.dataset.chart)],w=y.querySelector(".plot"),L=b(y,E,p.series,p.unit),C=new uPlot({width:w.clientWidth,height:140,padding:[
14,20,0,0],legend:{show:!1},cursor:{sync:{key:"vitals"},y:!1,points:{size:5},drag:{x:!0,y:!1}},scales:{x:{time:!1},y:{range:(S,I,z)=>[
Math.min(I??0,0),z>0?z*1.12:1]}},axes:a(p.unit),series:[{},...p.series.map((S,I)=>({label:S.name,stroke:()=>H.color("s"+
Math.min(I,2)),width:1.5,points:{show:!1},spanGaps:!0,dash:o[Math.min(I,2)]}))],hooks:{drawClear:[S=>i(S,E.spans??[])],draw:[
f],setCursor:[L]}},[E.t,...p.series.map(S=>S.v)],w);L(C),s.push({u:C,box:w})}function T(y){if(!y.charts?.length)return;let E=new Set(
document.querySelectorAll("[data-chart]")),p=new ResizeObserver(()=>{for(let w of E)w.clientWidth>0&&(E.delete(w),u(w,y));
for(let{u:w,box:L}of s)L.clientWidth>0&&L.clientWidth!==w.width&&w.setSize({width:L.clientWidth,height:140})});document.
querySelectorAll(".charts").forEach(w=>p.observe(w)),H.onChange(()=>s.forEach(({u:w})=>w.redraw(!1,!0)))}return{start:T}})();function ze(){for(let e of document.querySelectorAll("[data-copy]"))e.addEventListener("click",async()=>{let n=document.
getElementById(e.dataset.copy);try{await navigator.clipboard.writeText(n.textContent),e.textContent="Copied"}catch{getSelection().
selectAllChildren(n),e.textContent="Selected"}})}var Y=["user","dependency","std","runtime"],N=19,We=.5,ue=4;function vt(){return{owner:Y.map(e=>H.color("f-"+e)),text:H.
color("f-text"),rest:H.color("f-rest"),match:H.color("f-match"),mark:H.color("f-mark"),markText:H.color("f-mark-text"),more:[
1,2,3].map(e=>H.color("f-more"+e)),less:[1,2,3].map(e=>H.color("f-less"+e)),none:H.color("f-none"),ground:H.color("raise\
d"),focus:H.color("text"),muted:H.color("muted")}}function X(e){let n=e.search(/[[(]/);return e.slice(e.lastIndexOf("/",
n<0?e.length:n)+1)}function Rt(e,n,t){let r=e.depth[n];for(let o=n;o<e.end[n];){if(e.total[o]*t<We){o=e.end[o];continue}
e.depth[o]>r&&(r=e.depth[o]),o++}return r+1}function Ke(e,n){let t=e.map(({tree:o,zoom:s})=>Rt(o,s,o.total[s]>0?n/o.total[s]:
0));if(e.length===1)return Math.max(t[0],3);let r=t[1]-1;for(let o of e)o.base=r*N;return Math.max(r+t[0],3)}function ye(e,n,t,r){
let o=Math.floor((r+n.top-e[0].base)/N),s=o<0?1:0,{tree:l,zoom:a}=e[s],i=Math.abs(o);if(i<l.depth[a]){let b=a;for(;b>=0&&
l.depth[b]>i;)b=l.parent[b];return[s,b]}let f=l.x[a]+t/n.width*l.total[a];for(let b=a;b<l.end[a];){if(f<l.x[b]||f>=l.x[b]+
l.total[b]){b=l.end[b];continue}if(l.depth[b]===i)return[s,b];b++}return[s,-1]}function je(e,n,t){let{tree:r,zoom:o,width:s,
height:l,top:a,base:i,dir:f,from:b}=n,u=vt(),T=r.total[o]>0?s/r.total[o]:0,y=new Float64Array(4096).fill(-1);e.font="11.\
5px "+H.font("mono"),e.textBaseline="middle";let E=e.measureText("m").width,p={ctx:e,c:u,glyph:E,view:n,data:t,t:r};for(let w=r.
parent[o];w>=0;w=r.parent[w])qe(p,w,0,r.depth[w]*N-a,s,!0);for(let w=o;w<r.end[o];){let L=i+f*r.depth[w]*N-a,C=r.total[w]*
T;if((f>0?L>l:L<-N)||C===0){w=r.end[w];continue}if(r.depth[w]<b){w++;continue}let S=(r.x[w]-r.x[o])*T;if(C<We){let I=Math.
floor(S);L>-N&&L<l&&y[r.depth[w]]<I&&(e.fillStyle=u.rest,e.fillRect(I,L,1,N-1),y[r.depth[w]]=I),w=r.end[w];continue}L>-N&&
L<l&&qe(p,w,S,L,C,!1),w++}}function Ht(e,n,t,r){if(!n.change)return r<0?e.rest:e.owner[r];let o=Ge(n.change[t]);return o>
0?e.more[o-1]:o<0?e.less[-o-1]:e.none}function qe({ctx:e,c:n,glyph:t,view:r,data:o,t:s},l,a,i,f,b){let u=s.fn[l],T=u<0?-1:
o.funcs[u][2],y=r.match&&u>=0&&r.match.has(u),E=b||r.match&&!y;e.globalAlpha=E?.4:s.change?1:[1,.86,.93][u<0?0:u%3],e.fillStyle=
y?n.match:Ht(n,s,l,T);let p=f>3?1:0;e.fillRect(a,i,f-p,N-1),y&&(e.fillStyle=n.text,e.fillRect(a,i+N-3,f-p,2)),e.globalAlpha=
b?.75:1;let w=a+ue,L=u<0?void 0:r.marks.get(u);L&&(w=Ft(e,n,L,a,i,f-p,t));let C=s.change?Ue(s.change[l]):"";Dt(e,C+(u<0?
"all":X(o.funcs[u][0])),n.text,w,i,a+f-ue,t),e.globalAlpha=1,(l===r.selected||l===r.hover)&&(e.strokeStyle=n.focus,e.lineWidth=
l===r.selected?2:1,e.strokeRect(a+1,i+1,Math.max(f-p-2,1),N-3))}function Ft(e,n,t,r,o,s,l){if(e.fillStyle=n.mark,s<5)return e.
fillRect(r,o,s,N-1),r+ue;e.strokeStyle=n.mark,e.lineWidth=2,e.strokeRect(r+1,o+1,s-2,N-3);let a=t.join(" "),i=a.length*l+
8;return i>s?r+ue:(e.fillRect(r,o,i,N-1),e.fillStyle=n.markText,e.fillText(a,r+4,o+N/2),r+i+ue)}function Dt(e,n,t,r,o,s,l){
let a=Math.floor((s-Math.max(r,0))/l);a<2||(e.fillStyle=t,e.fillText(n.length<=a?n:n.slice(0,a-1)+"…",Math.max(r,0),o+
N/2))}function he(e,n){let t=(e.fn??[]).length+1,r={n:t,graph:e,funcs:n,fn:new Int32Array(t),line:new Int32Array(t),depth:new Int32Array(
t),parent:new Int32Array(t),end:new Int32Array(t),self:new Float64Array(t),total:new Float64Array(t),x:new Float64Array(
t)};r.fn[0]=-1,r.parent[0]=-1;for(let o=1;o<t;o++){r.fn[o]=e.fn[o-1],r.line[o]=e.line[o-1];let s=o-1;for(let l=e.up[o-1];l>
0;l--)s=r.parent[s];r.parent[o]=s,r.depth[o]=r.depth[s]+1}return we(r),r}function we(e){for(let n=e.n-1;n>=0;n--)e.end[n]=
Math.max(e.end[n],n+1),n>0&&(e.end[e.parent[n]]=Math.max(e.end[e.parent[n]],e.end[n]))}function Ee(e,n){let{self:t,total:r,
x:o,parent:s,n:l}=e;t.set(e.graph.self[n]),r.set(e.graph.self[n]);for(let[i,f]of e.graph.cut[n])r[i]+=f;for(let i=l-1;i>
0;i--)r[s[i]]+=r[i];let a=new Float64Array(l);for(let i=1;i<l;i++){let f=s[i];o[i]=o[f]+a[f],a[f]+=r[i]}e.type=e.graph.types[n],
e.whole=e.graph.wholes?.[n],e.graph.diff&&!e.change&&$e(e)}function Ve(e,n){let t=0,r=0,o=0;for(let s=1;s<e.n;s++)n(e.fn[s])&&
(e.total[s]>0&&t++,s>=o&&(r+=e.total[s],o=e.end[s]));return{frames:t,sum:r}}function _e(e,n){let t=n.length-1,r=-1;for(let o=1;o<
e.n;o++){if(e.fn[o]!==n[t]||r>=0&&e.total[o]<=e.total[r])continue;let s=t;for(let l=e.parent[o];s>0&&l>0&&e.fn[l]===n[s-
1];l=e.parent[l])s--;s===0&&(r=o)}return r}function fe(e,n,t){let r=e.parent[n];if(r<0)return n;let o=n,s=!1;for(let l=r+
1;l<e.end[r];l=e.end[l])if(e.total[l]!==0){if(t>0&&s)return l;if(l===n){if(t<0)return o;s=!0}o=l}return n}function de(e,n){
let t=n;for(let r=n+1;r<e.end[n];r=e.end[r])e.total[r]>0&&(t===n||e.total[r]>e.total[t])&&(t=r);return t}function ee({tree:e},n,t){return e.fn[t]<0?"all":n.funcs[e.fn[t]][0]}function It({tree:e},n,t){let r=e.fn[t]<0?-1:n.funcs[e.
fn[t]][1];return r<0?"":n.files[r]+(e.line[t]?":"+e.line[t]:"")}function te({tree:e},n){return W(n*e.type.scale,e.type.unit)}
function U({tree:e},n){let t=e.whole??e.total[0];return $(t?n/t:0)}function xe(e,n,t){let[r,o]=e.links?.[e.funcs[n]?.[1]]??
[-1,""];return r<0?"":e.folders[r]+o.replace("{}",String(Math.max(t,1)))}function Te(e,n){let t=document.createElement("\
a");return t.href=e,t.rel="noopener noreferrer",t.textContent=n,t}var Se={user:"your code",dependency:"a dependency",std:"\
the standard library",runtime:"the runtime"};function Ye(e,n,t){let r=e.tree.fn[t];return r<0?"":[Se[Y[n.funcs[r][2]]],It(
e,n,t)].filter(Boolean).join(" · ")}function Me(e,n,t){let r=e.tree,o=r.change?[ee(e,n,t),Ye(e,n,t),...Ae(r,t)]:[ee(e,n,
t),Ye(e,n,t),te(e,r.total[t])+" total, "+U(e,r.total[t])+" · "+te(e,r.self[t])+" self, "+U(e,r.self[t])],s=r.parent[t];
s>0&&r.total[s]>0&&o.push($(r.total[t]/r.total[s])+" of "+X(ee(e,n,s)));let l=(n.marks??[]).filter(a=>a.fn===r.fn[t]);return{
lines:o,findings:[...new Set(l.map(a=>a.id+": "+n.findings[a.finding]))]}}function Le(e,n,t=0,r=0){if(e.hidden=!n,!n)return;
let{lines:o,findings:s}=n;e.replaceChildren(...[...o,...s].map((a,i)=>{let f=document.createElement("div");return f.textContent=
a,i>=o.length&&(f.className="finding-line"),f}));let l=e.getBoundingClientRect();e.style.left=Math.max(8,Math.min(t+14,innerWidth-
l.width-8))+"px",e.style.top=(r+18+l.height>innerHeight?Math.max(8,r-l.height-12):r+18)+"px"}function Xe(e,n){let t=e.tree,
r=[],{match:o}=e;if(o){let s=Ve(t,l=>o.has(l));r.push(s.frames?["Found ",U(e,s.sum)," ("+te(e,s.sum)+") in "+ce(s.frames)+
" frames"]:["Found ","nothing",""])}if(e.selected>=0){let s=Me(e,n,e.selected);r.push(["",s.lines[0]," "+[...s.lines.slice(
1,t.change?4:3),...s.findings].filter(Boolean).join(" · "),xe(n,t.fn[e.selected],t.line[e.selected])])}else if(!e.match){
let s=e.zoom?" in "+ee(e,n,e.zoom):"";t.change?r.push(["",ee(e,n,e.zoom),": "+Ae(t,e.zoom).join(" · ")]):r.push(["",te(
e,t.total[e.zoom]),(t.whole?" ("+U(e,t.total[e.zoom])+")":"")+" of "+t.type.name+s+", "+ce(t.n-1)+" frames"])}return r.map(
([s,l,a,i])=>{let f=document.createElement("span"),b=document.createElement("b");return b.textContent=l,f.append(s,b,a),
i&&f.append(" · ",Te(i,"source")),f})}function Qe(e,n){let t=document.createElement("button");return t.type="button",t.
setAttribute("role","tab"),t.textContent=e,t.addEventListener("click",n),t}function se(e,n){let t=document.createElement(
"span"),r=document.createElement("span");return r.className="key "+e,t.append(r,n),t}function Je(e,n){let t=e.tree;if(t.
change)return et();let r={user:"your code",dependency:"dependencies",std:"standard library",runtime:"runtime"},o=new Float64Array(
Y.length);for(let l=1;l<t.n;l++)o[n.funcs[t.fn[l]][2]]+=t.self[l];let s=Y.flatMap((l,a)=>o[a]>0?[se(l,r[l]+" "+U(e,o[a]))]:
[]);return t.fn.some(l=>e.marks.has(l))&&s.push(se("mark","frame of a finding")),s}function Ze(e,n,t){let r=new Set(e.tree.
fn),o=new Map;for(let s of n.marks??[]){if(!r.has(s.fn))continue;let l=o.get(s.finding)??{id:s.id,fns:new Set};l.fns.add(
s.fn),o.set(s.finding,l)}return[...o].sort(([s],[l])=>s-l).map(([s,{id:l,fns:a}])=>{let i=document.createElement("div"),
f=document.createElement("a");return i.setAttribute("role","group"),i.setAttribute("aria-label",l+": "+n.findings[s]),f.
href=(n.page??"")+"#finding-"+s,f.title=n.findings[s],f.textContent=l,i.append(f,...[...a].map(b=>{let u=document.createElement(
"button");return u.type="button",u.title=n.funcs[b][0],u.textContent=X(n.funcs[b][0]),u.addEventListener("click",()=>t(b)),
u})),i})}var Nt=[0,.01,.05];function $e(e){let n=t=>{let r=Float64Array.from(e.graph.self[t]);for(let[o,s]of e.graph.cut[t])r[o]+=
s;for(let o=e.n-1;o>0;o--)r[e.parent[o]]+=r[o];return r};e.sides=[n(0),n(1)],e.wholes=e.graph.wholes??[e.sides[0][0],e.sides[1][0]],
Ce(e)}function Ce(e){e.change=new Float64Array(e.n);let[n,t]=[e.sides,e.wholes],{diff:r,types:o}=e.graph,s=t[1]*o[1].scale;
for(let l=0;l<e.n;l++){let a=n[0][l]*o[0].scale-n[1][l]*o[1].scale,i=0;for(let f of[0,1])i+=r.sample[f]*n[f][l]*(1-n[f][l]/
t[f])*o[f].scale**2;Math.abs(a)>Math.max(2*Math.sqrt(Math.max(i,0)),r.noise*s)&&(e.change[l]=a/s)}}function Ge(e){let n=0;
for(let t of Nt)Math.abs(e)>t&&n++;return Math.sign(e)*n}function Pt(e){return(e>0?"+":"−")+$(Math.abs(e))}function Ue(e){
return e===0?"":(e>0?"▲":"▼")+$(Math.abs(e)).replace(" ","")+" "}function Ae(e,n){let{types:t}=e.graph,r=e.sides[1][n]*
t[1].scale,o=e.sides[0][n]*t[0].scale,s=t[0].unit,l=o-r,a=e.wholes[1]*t[1].scale;return[W(r,s)+" "+t[1].name+", "+W(o,s)+
" "+t[0].name,e.change[n]===0?"no change beyond sampling error and noise":(l>0?"+":"")+W(l,s)+", "+Pt(l/a)+" of total "+
t[1].name]}function et(){let e=["below 1 %","1 to 5 %","above 5 %"];return[...e.map((n,t)=>se("more"+(t+1),"▲ more, "+
n)),...e.map((n,t)=>se("less"+(t+1),"▼ less, "+n)),se("none","no change beyond sampling error and noise")]}function ge(e,n){return e.sides?e.sides.some(t=>t[n]>0):e.total[n]>0}function Bt(e){let n=new Set;for(let t=1;t<e.n;t++)
e.parent[t]>0&&ge(e,t)&&n.add(e.fn[e.parent[t]]);return n}function nt(e){let{types:n}=e.graph,t=a=>{let{self:i,total:f}=ae(
e.sides?{...e,self:e.graph.self[a],total:e.sides[a]}:e),b=e.sides?n[a].scale:e.type.scale;return{flat:i.map(u=>u*b),cum:f.
map(u=>u*b)}},r=Bt(e),o=t(0),s=e.sides?t(1):null,l=[];return o.cum.forEach((a,i)=>{let f={fn:i,path:[i],calls:r.has(i),flat:o.
flat[i],cum:a};s&&Object.assign(f,{flatChange:f.flat-s.flat[i],cumChange:a-s.cum[i]}),(a>0||s&&s.cum[i]>0)&&l.push(f)}),
l}function tt(e,n){let t=[];for(let r=n+1;r<e.end[n];r=e.end[r])ge(e,r)&&t.push(r);return t}function rt(e,n){let t=n.tree??
me(e,n.fn),{types:r}=t.graph;return tt(t,n.node??0).map(o=>{let s=i=>({flat:t.selves[i][o]*r[i].scale,cum:t.sides[i][o]*
r[i].scale}),l=t.sides?s(0):{flat:t.self[o]*t.type.scale,cum:t.total[o]*t.type.scale};if(t.sides){let i=s(1);Object.assign(
l,{flatChange:l.flat-i.flat,cumChange:l.cum-i.cum})}let a=t.fn[o];return{...l,fn:a,path:[...n.path,a],tree:t,node:o,calls:tt(
t,o).length>0}})}function ke(e,n){let t=n==="flat"?"cum":"flat",r=(o,s)=>Math.abs(o[`${s}Change`]??o[s]);return e.sort((o,s)=>r(
s,n)-r(o,n)||r(s,t)-r(o,t)||o.fn-s.fn)}function Ot(e,n){return e===0?"0":(e>0?"+":"")+W(e,n)}function ot(e){let{unit:n}=e.
sides?e.graph.types[0]:e.type,t=(e.whole??e.total[0])*e.type.scale;return["flat","cum"].flatMap(r=>[[r,r==="flat"?"Flat":
"Cum",o=>W(o[r],n)],e.sides?["","change",o=>Ot(o[`${r}Change`],n)]:["","share",o=>$(t?o[r]/t:0)]])}function be(e,n){let t=[];for(let r=1;r<e.n;){if(e.fn[r]!==n){r++;continue}ge(e,r)&&t.push(r),r=e.end[r]}return t}function st(e,n){
let t=e.sides??[],r={parent:[-1],fn:[n],self:[0],total:[0],line:[0],most:[0],sides:t.map(()=>[0]),selves:t.map(()=>[0])},
o=new Map,s=e.funcs;function l(i,f){let b=i*s+f,u=o.get(b);if(u===void 0){u=r.fn.length,o.set(b,u),r.parent.push(i),r.fn.
push(f),r.self.push(0),r.total.push(0),r.line.push(0),r.most.push(0);for(let T of[...r.sides,...r.selves])T.push(0)}return u}
function a(i,f,b=f){r.total[i]+=e.total[f],e.total[b]>r.most[i]&&(r.most[i]=e.total[b],r.line[i]=e.line[b]),r.sides.forEach(
(u,T)=>{u[i]+=t[T][f]})}return{nodes:r,step:l,add:a}}function me(e,n){let{nodes:t,step:r,add:o}=st(e,n),s=[0];for(let l of be(
e,n))for(let a=l;a<e.end[l];a++){let i=e.depth[a]-e.depth[l];i>0&&(s[i]=r(s[i-1],e.fn[a])),o(s[i],a),t.self[s[i]]+=e.self[a],
t.selves.forEach((f,b)=>{f[s[i]]+=e.graph.self[b][a]})}return lt(e,t)}function at(e,n){let{nodes:t,step:r,add:o}=st(e,n);
for(let s of be(e,n)){let l=0;o(0,s);for(let a=e.parent[s];a>0;a=e.parent[a])l=r(l,e.fn[a]),o(l,s,a)}return lt(e,t)}function lt(e,n){
let t=n.fn.length,r=Array.from({length:t},()=>[]);for(let a=1;a<t;a++)r[n.parent[a]].push(a);let o={n:t,graph:e.graph,type:e.
type,whole:e.whole??e.total[0],funcs:e.funcs,fn:new Int32Array(t),line:new Int32Array(t),depth:new Int32Array(t),parent:new Int32Array(
t),end:new Int32Array(t),self:new Float64Array(t),total:new Float64Array(t),x:new Float64Array(t)};e.sides&&(o.sides=e.sides.
map(()=>new Float64Array(t)),o.selves=e.sides.map(()=>new Float64Array(t)),o.wholes=e.wholes);let s=[[0,-1,0,0]],l=0;for(;s.
length;){let[a,i,f,b]=s.pop(),u=l++;o.fn[u]=n.fn[a],o.parent[u]=i,o.depth[u]=f,o.x[u]=b,o.self[u]=n.self[a],o.total[u]=n.
total[a],o.line[u]=n.line[a],o.sides?.forEach((E,p)=>{E[u]=n.sides[p][a]}),o.selves?.forEach((E,p)=>{E[u]=n.selves[p][a]});
let T=r[a].sort((E,p)=>n.total[p]-n.total[E]||n.fn[E]-n.fn[p]),y=b;for(let E of T)y+=n.total[E];for(let E of T.reverse())
y-=n.total[E],s.push([E,u,f+1,y])}return we(o),o.sides&&Ce(o),o}function ae(e){let n=new Float64Array(e.funcs),t=new Float64Array(
e.funcs),r=new Int32Array(e.funcs),o=[];for(let s=1;s<e.n;s++){for(;o.length>=e.depth[s];)r[o.pop()]--;let l=e.fn[s];n[l]+=
e.self[s],r[l]===0&&(t[l]+=e.total[s]),r[l]++,o.push(l)}return{self:n,total:t}}function ve(e,n=e.keys()){let t=-1;for(let r of n)
e[r]>(t<0?0:e[t])&&(t=r);return t}function it(e,n){let t=n.toLowerCase().split("|").map(l=>l.trim()).filter(Boolean);if(!t.length)return null;let r=l=>t.some(
a=>l.includes(a)),o=(e.files??[]).map(l=>r(l.toLowerCase())),s=new Set;return e.funcs.forEach(([l,a],i)=>{(r(l.toLowerCase())||
o[a])&&s.add(i)}),s}function zt(e,n){let t=new Uint8Array(e.n);for(let r=1;r<e.n;r++)t[r]=t[e.parent[r]]||n.has(e.fn[r])?
1:0;return t}function ct(e,{focus:n,ignore:t,from:r}){let[o,s,l]=[n,t,r].map(b=>b&&zt(e,b)),a=b=>(!o||o[b])&&!(s&&s[b])&&
(!l||l[b]),i=(b,u)=>b.reduce((T,y)=>T+y,0)+e.graph.cut[u].reduce((T,[,y])=>T+y,0),f={...e.graph,wholes:e.graph.self.map(
i),lines:{fn:[],line:[],self:[],total:[]},self:e.graph.self.map(b=>b.map((u,T)=>a(T)?u:0)),cut:e.graph.cut.map(b=>b.filter(
([u])=>a(u)))};return he(l?qt(e,f,l):f,e.funcs)}function qt(e,n,t){let r=[{depth:0,children:new Map}],o=new Int32Array(e.
n);for(let a=1;a<e.n;a++){if(!t[a])continue;let i=r[o[e.parent[a]]];i.children.has(e.fn[a])||(i.children.set(e.fn[a],r.length),
r.push({fn:e.fn[a],line:e.line[a],depth:i.depth+1,children:new Map})),o[a]=i.children.get(e.fn[a])}let s=a=>{let i=new Array(
r.length).fill(0);return a.forEach((f,b)=>{i[o[b]]+=f}),i},l=n.cut.map(a=>a.map(([i,f])=>[o[i],f]));return Wt({...n,self:n.
self.map(s),cut:l},r)}function Wt(e,n){let t=[...e.self[e.default]];for(let[a,i]of e.cut[e.default])t[a]+=i;for(let a=n.
length-1;a>=0;a--)for(let i of n[a].children.values())t[a]+=t[i];let r=[],o=[0];for(;o.length;){let a=o.pop();r.push(a);
for(let i of[...n[a].children.values()].sort((f,b)=>t[f]-t[b]))o.push(i)}let s=new Int32Array(n.length);r.forEach((a,i)=>{
s[a]=i});let l=r.slice(1);return{...e,fn:l.map(a=>n[a].fn),line:l.map(a=>n[a].line),up:l.map((a,i)=>n[r[i]].depth+1-n[a].
depth),self:e.self.map(a=>r.map(i=>a[i])),cut:e.cut.map(a=>a.map(([i,f])=>[s[i],f]))}}function Re(e,n){if(e.hashes)return e.
hashes;let t=He(n);e.hashes=new Uint32Array(e.n);for(let r=1;r<e.n;r++)e.hashes[r]=Fe(e.hashes[e.parent[r]],t[e.fn[r]],e.
depth[r]);return e.hashes}function He(e){return e.hashes??=e.funcs.map(([n])=>{let t=2166136261;for(let r=0;r<n.length;r++)
t=Math.imul(t^n.charCodeAt(r),16777619);return t}),e.hashes}function Fe(e,n,t){return Math.imul(e^e>>>15^n,739982445)+t}
function De(e,n,t){return t?Math.max(Re(e,n).indexOf(t),0):0}function Kt(e,n,t){let r=e.graph.lines,o=[];if(r.fn?.forEach((a,i)=>{a===t&&o.push({line:r.line[i],self:r.self[n][i],total:r.
total[n][i]})}),o.length)return{rows:o,exact:!0};let s=new Map,l=a=>(s.has(a)||s.set(a,{line:a,self:0,total:0}),s.get(a));
for(let a of be(e,t))l(e.line[a]).total+=e.total[a];for(let a=1;a<e.n;a++)e.fn[a]===t&&(l(e.line[a]).self+=e.self[a]);return{
rows:[...s.values()].sort((a,i)=>a.line-i.line),exact:!1}}function q(e,n,t){let r=document.createElement(e);return r.append(
n),t&&(r.className=t),r}function jt(e){let n="http://www.w3.org/2000/svg",t=document.createElementNS(n,"svg");t.setAttribute(
"class","share"),t.setAttribute("viewBox","0 0 100 6"),t.setAttribute("preserveAspectRatio","none"),t.setAttribute("aria\
-hidden","true");for(let[r,o]of[["track",100],["fill",Math.min(100*e,100)]]){let s=document.createElementNS(n,"rect");s.
setAttribute("class",r),s.setAttribute("width",String(o)),s.setAttribute("height","6"),t.append(s)}return t}function ut(e,n,t,r){
let o=e.tree,{rows:s,exact:l}=Kt(o,t,r),a=document.createElement("table"),i=document.createElement("tr");for(let[T,y]of[
["Line","num"],["Self","num"],["Share","num"],["With callees","num"],["Share","num"],["",""]]){let E=q(T?"th":"td",T,y);
T&&(E.scope="col"),i.append(E)}let f=document.createElement("tbody"),b=o.whole??o.total[0];for(let T of s){let y=document.
createElement("tr"),E=xe(n,r,T.line),p=q("th",E?Te(E,String(T.line)):T.line?String(T.line):"–","num");p.scope="row",y.
append(p,q("td",te(e,T.self),"num"),q("td",U(e,T.self),"num"),q("td",te(e,T.total),"num"),q("td",U(e,T.total),"num"),q("\
td",jt(b?T.total/b:0),"barcell")),f.append(y)}if(a.append(q("thead",i),f),l)return[a];let u=q("p","The page has every li\
ne only for the heaviest functions. In this function, each frame counts at its heaviest line.","note");return[a,u]}var Q=(()=>{let e={width:0,height:0,top:0,match:null,marks:new Map},n=[],t=[],r=[],o,s,l,a,i,f,b,u=0,T=0,y="graph",E=-1,
p=[],w=0,L=null,C=()=>{};function S(c){return s.querySelector(c)}function I(c,m={}){return{tree:c,zoom:0,base:0,dir:1,from:0,
hover:-1,selected:-1,...m}}function z(c=w){return{...e,...p[c]}}function F(){performance.clearMeasures("flame");let c=performance.
now();if(e.width=l.clientWidth,!e.width)return;let m=Ke(p,e.width)*N,g=parseFloat(getComputedStyle(l).maxHeight)||m;e.height=
Math.min(m,g),S(".spacer").style.height=m-e.height+"px",e.top=Math.min(l.scrollTop,m-e.height);let x=devicePixelRatio||1,
[v,le]=[Math.round(e.width*x),Math.round(e.height*x)];(a.width!==v||a.height!==le)&&(a.width=v,a.height=le,a.style.width=
e.width+"px",a.style.height=e.height+"px"),i.setTransform(x,0,0,x,0,0),i.clearRect(0,0,e.width,e.height),p.forEach(($t,Mt)=>je(
i,z(Mt),o)),performance.measure("flame",{start:c,end:performance.now()})}function R(){b.replaceChildren(...Xe(z(),o)),y===
"lines"&&E>=0&&S(".lines").replaceChildren(...ut(A(),o,T,E))}function P(c){p[0].zoom=c,F(),R(),C(!0)}function B(c,m){for(let v of p)
v.selected=-1;w=c;let g=p[c];g.selected=m;let x=g.base+g.dir*g.tree.depth[m]*N;(x<l.scrollTop||x+N>l.scrollTop+e.height)&&
(l.scrollTop=x-e.height/2),F(),R(),C(!1)}function j(c){e.match=it(o,c),y!=="graph"&&M(),F(),R(),C(!1)}function _(){for(let c of p)
c.selected=-1;p[0].zoom=0,w=0,S("input").value="",l.scrollTop=0,C(!0),j("")}function G(c){T=c;let m=n[u];if(Ee(m,c),y===
"graph"){let g=p[0];for(;g.zoom>0&&m.total[g.zoom]===0;)g.zoom=m.parent[g.zoom]}else h(E);S(".types select").value=String(
c),S(".legend").replaceChildren(...Je({...e,tree:m},o)),F(),R(),C(!0)}function K(c){u=c;let m=o.graphs[c];t[c]??=he(m,o.
funcs.length),n[c]??=L?ct(t[c],L):t[c],r.length=0,p=[I(n[c])],w=0,l.scrollTop=0,s.querySelectorAll(".tabs button").forEach(
(x,v)=>{x.setAttribute("aria-selected",String(v===c)),x.tabIndex=v===c?0:-1}),S(".types select").replaceChildren(...m.types.
map((x,v)=>new Option(x.name,String(v),!1,v===m.default))),S(".types").hidden=m.types.length<2,S(".marks").replaceChildren(
...Ze(z(),o,k)),Ee(n[c],m.default),y!=="graph"&&(E=ne()),G(m.default)}function ne(){let{self:c,total:m}=ae(n[u]);return E>=
0&&m[E]>0?E:Math.max(ve(c),0)}function J(c){let m=p[w];m.selected>=0&&m.tree.fn[m.selected]>=0&&(E=m.tree.fn[m.selected]),
y=c,r.length=0;for(let g of s.querySelectorAll(".modes button"))g.setAttribute("aria-pressed",String(g.dataset.mode===y));
s.dataset.mode=y,S(".function").hidden=y==="graph",S(".lines").hidden=y!=="lines",l.hidden=y==="lines",S(".legend").hidden=
y==="lines",l.scrollTop=0,y==="graph"?(p=[I(n[u])],w=0):h(ne()),F(),R(),C(!0)}function h(c){E=c;let m=n[u];w=0,p=y==="sa\
ndwich"?[I(me(m,c),{selected:0}),I(at(m,c),{dir:-1,from:1})]:[I(me(m,c),{selected:0})],M(),y==="sandwich"&&(e.width=l.clientWidth,
F(),l.scrollTop=Math.max(0,p[0].base-e.height/2))}function d(c){c<0||c===E||(r.push(E),h(c),F(),R(),C(!0))}function M(){
let{self:c,total:m}=ae(n[u]),g=[...m.keys()].filter(v=>m[v]>0&&(!e.match||e.match.has(v))).sort((v,le)=>m[le]-m[v]||c[le]-
c[v]).slice(0,300);g.includes(E)||g.unshift(E);let x=v=>U(A(),m[v])+"  "+X(o.funcs[v][0]);S(".function select").replaceChildren(
...g.map(v=>new Option(x(v),String(v),!1,v===E)))}function A(){return{...e,tree:n[u]}}function k(...c){if(y!=="graph"){d(
c.at(-1));return}let m=n[u],g=_e(m,c);if(g<0)return;let x=g;for(;x>0&&m.total[g]/m.total[x]>.12;)x=m.parent[x];p[0].zoom=
x,F(),C(!0),B(0,g)}function D(){let{tree:c,zoom:m,selected:g}=p[0],x=g<0?m:g;return{ArrowDown:()=>B(0,g<0?m:de(c,x)),ArrowUp:()=>{
c.parent[x]<0||(x===m&&P(c.parent[x]),B(0,c.parent[x]))},ArrowLeft:()=>{x!==m&&B(0,fe(c,x,-1))},ArrowRight:()=>{x!==m&&B(
0,fe(c,x,1))},Enter:()=>P(x),Escape:()=>{m>0?P(c.parent[m]):_()},Home:_}}function O(){let{tree:c,selected:m}=p[w],g=Math.
max(m,0),x=()=>B(w,de(c,g)),v=()=>B(c.parent[g]>0?w:0,Math.max(c.parent[g],0));return{ArrowDown:w===0?x:v,ArrowUp:()=>{w===
1?x():g>0?v():p[1].tree.n>1&&B(1,de(p[1].tree,0))},ArrowLeft:()=>B(w,fe(c,g,-1)),ArrowRight:()=>B(w,fe(c,g,1)),Enter:()=>d(
c.fn[g]),Escape:()=>re(),Home:()=>B(0,0)}}function re(){r.length?(h(r.pop()),F(),R(),C(!0)):J("graph")}function oe(c){let m=y===
"graph"?D():O();!m[c.key]||c.ctrlKey||c.metaKey||c.altKey||(c.preventDefault(),m[c.key]())}function ht(){a.addEventListener(
"pointermove",c=>{let[m,g]=ye(p,e,c.offsetX,c.offsetY);p.some((x,v)=>x.hover!==(v===m?g:-1))&&(p.forEach((x,v)=>{x.hover=
v===m?g:-1}),F()),c.pointerType==="mouse"&&Le(f,g<0?null:Me(z(m),o,g),c.clientX,c.clientY)}),a.addEventListener("pointer\
leave",()=>{for(let c of p)c.hover=-1;Le(f,null),F()}),a.addEventListener("click",c=>{let[m,g]=ye(p,e,c.offsetX,c.offsetY);
if(!(g<0)){if(y==="sandwich"){d(p[m].tree.fn[g]);return}p[0].selected=g,P(g)}})}function dt(){let c=S(".tabs");c.replaceChildren(
...o.graphs.map((m,g)=>Qe(m.title,()=>K(g)))),c.addEventListener("keydown",m=>{let g={ArrowRight:1,ArrowLeft:-1}[m.key];
g&&(K((u+g+o.graphs.length)%o.graphs.length),c.children[u].focus())})}function gt(c,m){if(s=document.getElementById("fla\
me"),!(!s||!c.graphs?.length)){o=c,l=S(".stage"),a=l.querySelector("canvas"),i=a.getContext("2d"),f=S(".tip"),b=S(".stat\
us");for(let g of o.marks??[]){let x=e.marks.get(g.fn)??[];e.marks.set(g.fn,x.includes(g.id)?x:[...x,g.id])}dt(),ht(),l.
addEventListener("keydown",oe),l.addEventListener("scroll",F);for(let g of s.querySelectorAll(".modes button"))g.addEventListener(
"click",()=>J(g.dataset.mode));S(".types select").addEventListener("change",g=>G(Number(g.target.value))),S(".function s\
elect").addEventListener("change",g=>d(Number(g.target.value))),S("input").addEventListener("input",g=>j(g.target.value)),
S("input").addEventListener("keydown",bt),S(".reset").addEventListener("click",_),K(o.marks?.[0]?.graph??0),m&&(C=m),new ResizeObserver(
F).observe(s),H.onChange(F)}}function bt(c){if(c.key!=="Enter"||!e.match?.size)return;let{total:m}=ae(n[u]),g=ve(m,e.match);
g>=0&&k(g)}function yt(c){let m=o.marks[c];y!=="graph"&&J("graph"),u!==m.graph&&K(m.graph),k(m.fn),s.scrollIntoView({block:"\
start"}),l.focus({preventScroll:!0})}function wt(c){u!==c&&K(c),l.focus({preventScroll:!0})}function Et(){let{zoom:c,selected:m}=p[0],
g=x=>y==="graph"&&x>0?Re(n[u],o)[x]:0;return{graph:u,type:o.graphs[u].types[T].name,view:y,zoom:g(c),at:g(m),fn:y==="gra\
ph"?"":o.funcs[E]?.[0]??"",find:S("input").value}}function xt(c){let m=C;C=()=>{},L=c.filter,n.length=0,K(Math.min(c.graph,
o.graphs.length-1)),y!=="graph"&&J("graph");let g=o.graphs[u].types.findIndex(x=>x.name===c.type);if(g>=0&&g!==T&&G(g),S(
"input").value=c.find,j(c.find),c.view==="sandwich"||c.view==="lines")E=o.funcs.findIndex(([x])=>x===c.fn),J(c.view);else{
p[0].zoom=De(n[u],o,c.zoom),F();let x=De(n[u],o,c.at);x>0?B(0,x):R()}C=m}function Tt(){return{tree:n[u],column:T,match:e.
match}}function St(){let c=p[w];return c.selected>0||y!=="graph"&&c.selected===0?ee(z(),o,c.selected):""}return{start:gt,
showMark:yt,showGraph:wt,reset:_,state:Et,restore:xt,shownFunctions:Tt,selectedName:St,jump:k,keys:oe}})();function ft(){let e=()=>{let t=location.hash.startsWith("#finding-")?document.getElementById(location.hash.slice(1)):null;
t&&(t.open=!0)};addEventListener("hashchange",e),e();let n=[];addEventListener("beforeprint",()=>{n=[...document.querySelectorAll(
"details.finding:not([open])")];for(let t of n)t.open=!0}),addEventListener("afterprint",()=>{for(let t of n)t.open=!1})}var Gt=50;function Ut(e,n,t,{shown:r,show:o,changed:s}){let l=new Set,a=new WeakMap,i="flat",f=30,b=[],u,T;function y(){
let h=r(),d=[h.tree,h.column,h.match,i,f];if(d.every((D,O)=>D===b[O]))return;b=d,u=h.tree,T=ot(u);let M=a.get(R(document.
activeElement))?.key,A=ke(nt(u).filter(D=>!h.match||h.match.has(D.fn)),i);e.replaceChildren(...A.length?E(A):[q("p","No \
function matches.","empty")]);let k=F();k.length&&(k[0].tabIndex=0),M!==void 0&&P(k.find(D=>a.get(D).key===M)??k[0])}function E(h){
let d=V("table","treegrid","cards functions");d.setAttribute("aria-label","Functions"),d.setAttribute("aria-describedby",
"functions-how");let M=V("thead","rowgroup");M.append(p());let A=V("tbody","rowgroup");if(A.append(...h.slice(0,f).flatMap(
(D,O)=>w(D,O,h.length))),d.append(M,A),h.length<=f)return[d];let k=q("button","Show more: "+ce(h.length-f)+" functions a\
re left","quiet more");return k.type="button",k.addEventListener("click",()=>{let D=f;f+=200,s(!1),P(F().filter(O=>O.ariaLevel===
"1")[D])}),[d,k]}function p(){let h=V("tr","row"),d=V("th","columnheader");return d.scope="col",d.append("Function"),h.append(
d,...T.map(([M,A])=>{let k=V("th","columnheader","num");if(k.scope="col",!M)return k.append(A),k;let D=q("button",A+(M===
i?" ▾":""),"link");return D.type="button",D.dataset.sort=M,D.addEventListener("click",()=>{i=M,s(!0),e.querySelector("\
[data-sort="+M+"]")?.focus()}),M===i&&k.setAttribute("aria-sort","descending"),k.append(D),k})),h}function w(h,d,M){h.key=
Vt(t,h.path);let A=V("tr","row");return a.set(A,h),A.tabIndex=-1,A.setAttribute("aria-level",String(h.path.length)),A.setAttribute(
"aria-posinset",String(d+1)),A.setAttribute("aria-setsize",String(M)),h.calls&&A.setAttribute("aria-expanded",String(l.has(
h.key))),A.append(C(A,h),...T.map(([k,D,O],re)=>{let oe=V("td","gridcell","num");return oe.append(O(h)),oe.dataset.label=
k?D.toLowerCase():T[re-1][1].toLowerCase()+" "+D,oe})),h.calls&&l.has(h.key)?[A,...L(h)]:[A]}function L(h){let d=ke(rt(u,
h),i);return d.flatMap((M,A)=>w(M,A,d.length))}function C(h,d){let M=V("th","rowheader");M.scope="row";let A=q("span",d.
calls?l.has(d.key)?"▾":"▸":"","twist");A.setAttribute("aria-hidden","true"),A.addEventListener("click",()=>{d.calls&&
B(h)});let k=q("button",t.funcs[d.fn][0],"link symbol");k.type="button",k.tabIndex=-1,k.addEventListener("click",()=>o(d.
path));let D=q("div",k);D.append(q("span",[...S(d.fn),...I(d.fn)].join(" · "),"sub"));let O=q("div",A,"tree");return O.
style.setProperty("--above",String(d.path.length-1)),O.append(D),M.append(O),M}function S(h){let[,d,M]=t.funcs[h];return[
Y[M],...d<0?[]:[t.files[d].split("/").slice(-2).join("/")]]}function I(h){return[...new Set((t.marks??[]).filter(d=>d.fn===
h).map(d=>d.id))]}function z(h,d){let M=T.map(([,,O])=>O(d)),A=d.path.slice(0,-1).map(O=>X(t.funcs[O][0])).reverse(),k=I(
d.fn),D=d.calls?h.ariaExpanded==="true"?"What it calls is open":"Right shows what it calls":"It calls nothing that was c\
ounted";return[t.funcs[d.fn][0]+(A.length?", called by "+A.join(", by "):""),[["itself",0],["with what it calls",2]].map(
([O,re])=>M[re]+" "+O+", "+M[re+1]+(u.sides?" against the base":" of all")).join("; "),"In "+[Se[Y[t.funcs[d.fn][2]]],...S(
d.fn).slice(1)].join(", "),...k.length?["A place of "+k.join(", ")]:[],D].join(". ")+"."}function F(){return[...e.querySelectorAll(
"tbody tr")]}function R(h){return h&&e.contains(h)?h.closest("tbody tr"):null}function P(h){h?.focus()}function B(h){let d=a.
get(h),M=!l.delete(d.key);if(M)l.add(d.key),h.after(...L(d));else for(;Number(h.nextElementSibling?.ariaLevel)>d.path.length;)
h.nextElementSibling.remove();h.setAttribute("aria-expanded",String(M)),h.querySelector(".twist").textContent=M?"▾":"▸",
R(document.activeElement)===h?n.textContent=z(h,d):e.querySelector('tbody tr[tabindex="0"]')||(h.tabIndex=0),s(!1)}function j(h){
let d=h.previousElementSibling;for(;d&&Number(d.ariaLevel)>=Number(h.ariaLevel);)d=d.previousElementSibling;return d}function _(h){
let d=R(h.target);if(!d||h.ctrlKey||h.metaKey||h.altKey)return;let M=d.ariaExpanded,A={ArrowDown:()=>P(d.nextElementSibling),
ArrowUp:()=>P(d.previousElementSibling),ArrowRight:()=>{M==="true"?P(d.nextElementSibling):M&&B(d)},ArrowLeft:()=>{M==="\
true"?B(d):P(j(d))},Home:()=>P(F()[0]),End:()=>P(F().at(-1)),Enter:()=>o(a.get(d).path)}[h.key];A&&(h.preventDefault(),h.
stopPropagation(),A())}function G(h){let d=R(h.target);if(!d)return;for(let A of e.querySelectorAll('tbody tr[tabindex="\
0"]'))A.tabIndex=-1;d.tabIndex=0;let M=z(d,a.get(d));n.textContent!==M&&(n.textContent=M)}e.addEventListener("keydown",_),
e.addEventListener("focusin",G);function K(){return{sort:i,open:[...l].slice(-Gt).map(h=>h.toString(16)).join(".")}}function ne({
sort:h,open:d}){i=h==="cum"?"cum":"flat",l.clear();for(let M of d.split("."))M&&l.add(Number.parseInt(M,16));b=[]}function J(){
let h=a.get(R(document.activeElement));return h?t.funcs[h.fn][0]:""}return{refresh:y,state:K,restore:ne,focusedName:J}}function V(e,n,t){
let r=document.createElement(e);return r.setAttribute("role",n),t&&(r.className=t),r}function Vt(e,n){let t=He(e);return n.
reduce((r,o,s)=>Fe(r,t[o],s+1),0)>>>0}function _t(e){let n=document.querySelector(".stage");Q.jump(...e),n.scrollIntoView(
{block:"center"}),n.focus({preventScroll:!0})}function mt(e){let n=document.getElementById("functions");if(!n){Q.start(e);
return}let t,r=()=>{n.open&&t.refresh()};t=Ut(document.getElementById("function-table"),document.getElementById("row-sai\
d"),e,{shown:Q.shownFunctions,show:_t,changed:r}),Q.start(e,r),n.addEventListener("toggle",r)}document.documentElement.classList.add("js");H.start();ft();var pt=JSON.parse(document.getElementById("data").textContent);
Oe.start(pt.vitals);mt(pt.flame);ze();for(let e of document.querySelectorAll("[data-mark]"))e.addEventListener("click",()=>Q.
showMark(Number(e.dataset.mark)));for(let e of document.querySelectorAll("[data-graph]"))e.addEventListener("click",()=>Q.
showGraph(Number(e.dataset.graph)));})();

// Made of app/report/web/main.ts by `make web`.
"use strict";(()=>{var Ue=[[1099511627776," TiB",1],[1073741824," GiB",1],[1048576," MiB",1],[1024," KiB",1],[1," B",0]],It=[[86400," days",
2],[3600," h",2],[60," min",10],[1," s",1],[.001," ms",1],[1e-6," µs",1],[1e-9," ns",0]],Nt=[[1e12," T",1],[1e9," G",1],
[1e6," M",1],[1e3," k",0]];function je(e){return Number(e.toPrecision(3))}function We(e){return e.replace(/\.?0+(e|$)/,"\
$1")}function ee(e){if(e<0)return"−"+ee(-e);if(e===0)return"0";if(e<5e-7)return"<0.000001";if(e>=1e15)return We(e.toExponential(
2));if(e>=99.95)return e.toFixed(0).replace(/\B(?=(\d{3})+$)/g,",");let t=2-Math.floor(Math.log10(je(e))+1e-9),n=e.toFixed(
Math.min(t,6));return n.includes(".")?We(n):n}function Ot(e){return Math.abs(e)<1?Number(e.toPrecision(2)):Math.round(10*
e)/10}function fe(e,t){if(e<0)return"−"+fe(-e,t);for(let[n,r,o]of t)if(e>0?je(e/n)>=o:n===1)return ee(e/n)+r;return ee(
e)}function ge(e){return e<0?"−"+ge(-e):Math.round(e)<1e4?ee(e):fe(e,Nt)}function Bt(e,t){switch(t){case"bytes":return fe(
e,Ue);case"bytes/s":return fe(e,Ue)+"/s";case"seconds":return fe(e,It);case"share":return ee(Ot(100*e))+" %";case"cores":
return ee(e)==="1"?"1 core":ee(e)+" cores";case"1/s":return ge(e)+"/s";case"count":case"":return ge(e)}return ge(e)+" "+
t}function V(e,t){return e==null||!Number.isFinite(e)?"–":Bt(e,t).replaceAll(" "," ")}function me(e){return V(e,"coun\
t")}function J(e){return V(e,"share")}function Ge(e){let t=e<0?"−":"+",n=Math.round(Math.abs(e));if(n===0)return"0:00";
let r=l=>String(l).padStart(2,"0"),o=Math.floor(n/3600),a=Math.floor(n/60)%60;return t+(o?o+":"+r(a):a)+":"+r(n%60)}var P=(()=>{let e=document.documentElement,t=matchMedia("(prefers-color-scheme: dark)"),n=[],r=document.createElement("s\
pan");r.hidden=!0,document.body.append(r);let o="",a=!1,l=()=>!a&&(o?o==="dark":t.matches);function s(){e.style.colorScheme=
a?"light":o;let f=document.getElementById("theme");f.textContent=l()?"Light":"Dark";for(let b of n)b()}function i(){document.
getElementById("theme").addEventListener("click",()=>{o=l()?"light":"dark",s()}),t.addEventListener("change",s),addEventListener(
"beforeprint",()=>{a=!0,s()}),addEventListener("afterprint",()=>{a=!1,s()}),s()}function u(f){return r.style.color="var(\
--"+f+")",getComputedStyle(r).color}function m(f){return getComputedStyle(e).getPropertyValue("--"+f).trim()}return{start:i,
color:u,font:m,onChange:f=>n.push(f)}})();var ae=(()=>{let n=Array.from({length:50},(E,v)=>2**v),r=[1,2,5,10,15,30,60,120,300,600,900,1800,3600,7200,14400,43200,86400],
o=[[],[6,3],[1.5,3]],a=[],l=[],s=null,i=()=>{};function u(E,v){return E===0?"0":V(E,v).replace(/\/s$|\u00a0cores?$/,"")}
function m(E){let y={font:"11px "+P.font("sans"),stroke:()=>P.color("muted"),grid:{stroke:()=>P.color("line"),width:1},ticks:{
show:!1}};return[{...y,incrs:r,space:56,size:22,gap:4,values:(S,k)=>k.map(Ge)},{...y,size:58,gap:6,space:26,...E.startsWith(
"bytes")?{incrs:n}:{},values:(S,k)=>k.map(F=>u(F,E))}]}function f(E,v){let{ctx:y}=E,S=devicePixelRatio,{left:k,top:F,width:O,
height:W}=E.bbox,j=[],G=q=>q.names.size===1?[...q.names][0]:[...q.names][0]+" +"+(q.names.size-1);y.save(),y.font=10*S+"\
px "+P.font("sans"),y.textBaseline="bottom",y.textAlign="left";for(let q of v){let _=E.valToPos(q.from,"x",!0),h=Math.max(
E.valToPos(q.to,"x",!0),_+1.5*S);if(h<k||_>k+O)continue;let p=Math.max(_,k),M=Math.min(h,k+O);y.fillStyle=q.to>q.from?P.
color("span"):P.color("line-strong"),y.fillRect(p,F,M-p,W);let C=j[j.length-1],D=q.label.split(", ");C&&p<C.x+y.measureText(
G(C)+" +9").width+6*S?D.forEach(I=>C.names.add(I)):j.push({x:p,names:new Set(D)})}y.fillStyle=P.color("muted");for(let q of j){
let _=Math.max(k,Math.min(q.x,k+O-y.measureText(G(q)).width));y.fillText(G(q),_,F-2*S)}y.restore()}function b(E){let v=Math.
round(E.valToPos(0,"x",!0)),{left:y,top:S,width:k,height:F}=E.bbox;v<y||v>y+k||(E.ctx.fillStyle=P.color("trip"),E.ctx.fillRect(
v,S,Math.max(devicePixelRatio,1.5),F))}function T(E,v,y,S){let k=E.querySelectorAll(".sig b"),F=v.t.findLastIndex(O=>O<=
0);return F<0&&(F=0),O=>{let W=O.cursor.idx??F;y.forEach((j,G)=>{k[G].textContent=V(j.v[W],S)})}}function A(E,v){return E===
v||!!E&&!!v&&E.every((y,S)=>Math.abs(y-v[S])<=1e-6*(v[1]-v[0]))}function x(E,v){let{min:y,max:S}=E.scales.x;if(v!=="x"||
y==null||S==null)return;let k=y<=l[0]&&S>=l.at(-1)?null:[y,S];A(k,s)||(L(k),i())}function L(E){s=E;for(let{u:v}of a)B(v)}
function B(E){let[v,y]=s??[l[0],l.at(-1)];E.setScale("x",{min:v,max:y})}function N(E,v){let y=v.charts[Number(E.dataset.
chart)],S=E.querySelector(".plot"),k=T(E,v,y.series,y.unit),F=new uPlot({width:S.clientWidth,height:140,padding:[14,20,0,
0],legend:{show:!1},cursor:{sync:{key:"vitals",filters:{pub:O=>O.startsWith("mousemove")||O==="mouseleave"}},y:!1,points:{
size:5},drag:{x:!0,y:!1}},scales:{x:{time:!1},y:{range:(O,W,j)=>[Math.min(W??0,0),j>0?j*1.12:1]}},axes:m(y.unit),series:[
{},...y.series.map((O,W)=>({label:O.name,stroke:()=>P.color("s"+Math.min(W,2)),width:1.5,points:{show:!1},spanGaps:!0,dash:o[Math.
min(W,2)]}))],hooks:{drawClear:[O=>f(O,v.spans??[])],draw:[b],setCursor:[k],setScale:[x]}},[v.t,...y.series.map(O=>O.v)],
S);k(F),a.push({u:F,box:S}),s&&B(F)}function R(E){if(!E.charts?.length)return;l=E.t;let v=new Set(document.querySelectorAll(
"[data-chart]")),y=new ResizeObserver(()=>{for(let S of v)S.clientWidth>0&&(v.delete(S),N(S,E));for(let{u:S,box:k}of a)k.
clientWidth>0&&k.clientWidth!==S.width&&S.setSize({width:k.clientWidth,height:140})});document.querySelectorAll(".charts").
forEach(S=>y.observe(S)),P.onChange(()=>a.forEach(({u:S})=>S.redraw(!1,!0)))}return{start:R,show:L,range:()=>s,onChange:E=>{
i=E}}})();function Ve(){for(let e of document.querySelectorAll("[data-copy]"))e.addEventListener("click",async()=>{let t=document.
getElementById(e.dataset.copy);try{await navigator.clipboard.writeText(t.textContent),e.textContent="Copied"}catch{getSelection().
selectAllChildren(t),e.textContent="Selected"}})}var Y=["user","dependency","std","runtime","label"],Te=Y.indexOf("label"),Se="↳ ",z=19,$e=.5,pe=4;function zt(){return{
owner:Y.map(e=>P.color("f-"+e)),text:P.color("f-text"),rest:P.color("f-rest"),match:P.color("f-match"),mark:P.color("f-m\
ark"),markText:P.color("f-mark-text"),more:[1,2,3].map(e=>P.color("f-more"+e)),less:[1,2,3].map(e=>P.color("f-less"+e)),
none:P.color("f-none"),ground:P.color("raised"),focus:P.color("text"),muted:P.color("muted")}}function Me(e){let t=e.search(
/[[(]/);return e.slice(e.lastIndexOf("/",t<0?e.length:t)+1)}function te(e,t){return t>=0&&e.funcs[t][2]===Te}function ne(e,t){
return te(e,t)?e.funcs[t][0]:Me(e.funcs[t][0])}function qt(e,t,n){let r=e.depth[t];for(let o=t;o<e.end[t];){if(e.total[o]*
n<$e){o=e.end[o];continue}e.depth[o]>r&&(r=e.depth[o]),o++}return r+1}function Ye(e,t){let n=e.map(({tree:o,zoom:a})=>qt(
o,a,o.total[a]>0?t/o.total[a]:0));if(e.length===1)return Math.max(n[0],3);let r=n[1]-1;for(let o of e)o.base=r*z;return Math.
max(r+n[0],3)}function Le(e,t,n,r){let o=Math.floor((r+t.top-e[0].base)/z),a=o<0?1:0,{tree:l,zoom:s}=e[a],i=Math.abs(o);
if(i<l.depth[s]){let m=s;for(;m>=0&&l.depth[m]>i;)m=l.parent[m];return[a,m]}let u=l.x[s]+n/t.width*l.total[s];for(let m=s;m<
l.end[s];){if(u<l.x[m]||u>=l.x[m]+l.total[m]){m=l.end[m];continue}if(l.depth[m]===i)return[a,m];m++}return[a,-1]}function Xe(e,t,n){
let{tree:r,zoom:o,width:a,height:l,top:s,base:i,dir:u,from:m}=t,f=zt(),b=r.total[o]>0?a/r.total[o]:0,T=new Float64Array(
4096).fill(-1);e.font="11.5px "+P.font("mono"),e.textBaseline="middle";let A=e.measureText("m").width,x={ctx:e,c:f,glyph:A,
view:t,data:n,t:r};for(let L=r.parent[o];L>=0;L=r.parent[L])_e(x,L,0,r.depth[L]*z-s,a,!0);for(let L=o;L<r.end[o];){let B=i+
u*r.depth[L]*z-s,N=r.total[L]*b;if((u>0?B>l:B<-z)||N===0){L=r.end[L];continue}if(r.depth[L]<m){L++;continue}let R=(r.x[L]-
r.x[o])*b;if(N<$e){let E=Math.floor(R);B>-z&&B<l&&T[r.depth[L]]<E&&(e.fillStyle=f.rest,e.fillRect(E,B,1,z-1),T[r.depth[L]]=
E),L=r.end[L];continue}B>-z&&B<l&&_e(x,L,R,B,N,!1),L++}}function Kt(e,t,n,r){if(!t.change)return r<0?e.rest:e.owner[r];let o=Qe(
t.change[n]);return o>0?e.more[o-1]:o<0?e.less[-o-1]:e.none}function _e({ctx:e,c:t,glyph:n,view:r,data:o,t:a},l,s,i,u,m){
let f=a.fn[l],b=f<0?-1:o.funcs[f][2],T=r.match&&f>=0&&r.match.has(f),A=m||r.match&&!T;e.globalAlpha=A?.4:a.change?1:[1,.86,
.93][f<0?0:f%3],e.fillStyle=T?t.match:Kt(t,a,l,b);let x=u>3?1:0;e.fillRect(s,i,u-x,z-1),T&&(e.fillStyle=t.text,e.fillRect(
s,i+z-3,u-x,2)),e.globalAlpha=m?.75:1;let L=s+pe,B=f<0?void 0:r.marks.get(f);B&&(L=Ut(e,t,B,s,i,u-x,n));let N=a.change?Je(
a.change[l]):"",R=a.line[l]<0?Se:"";Wt(e,N+R+(f<0?"all":ne(o,f)),t.text,L,i,s+u-pe,n),e.globalAlpha=1,(l===r.selected||l===
r.hover)&&(e.strokeStyle=t.focus,e.lineWidth=l===r.selected?2:1,e.strokeRect(s+1,i+1,Math.max(u-x-2,1),z-3))}function Ut(e,t,n,r,o,a,l){
if(e.fillStyle=t.mark,a<5)return e.fillRect(r,o,a,z-1),r+pe;e.strokeStyle=t.mark,e.lineWidth=2,e.strokeRect(r+1,o+1,a-2,
z-3);let s=n.join(" "),i=s.length*l+8;return i>a?r+pe:(e.fillRect(r,o,i,z-1),e.fillStyle=t.markText,e.fillText(s,r+4,o+z/
2),r+i+pe)}function Wt(e,t,n,r,o,a,l){let s=Math.floor((a-Math.max(r,0))/l);s<2||(e.fillStyle=n,e.fillText(t.length<=s?t:
t.slice(0,s-1)+"…",Math.max(r,0),o+z/2))}function be(e,t){let n=(e.fn??[]).length+1,r={n,graph:e,funcs:t,fn:new Int32Array(n),line:new Int32Array(n),depth:new Int32Array(
n),parent:new Int32Array(n),end:new Int32Array(n),self:new Float64Array(n),total:new Float64Array(n),x:new Float64Array(
n)};r.fn[0]=-1,r.parent[0]=-1;for(let o=1;o<n;o++){r.fn[o]=e.fn[o-1],r.line[o]=e.line[o-1];let a=o-1;for(let l=e.up[o-1];l>
0;l--)a=r.parent[a];r.parent[o]=a,r.depth[o]=r.depth[a]+1}return Ae(r),r}function Ae(e){for(let t=e.n-1;t>=0;t--)e.end[t]=
Math.max(e.end[t],t+1),t>0&&(e.end[e.parent[t]]=Math.max(e.end[e.parent[t]],e.end[t]))}function ve(e,t){let{self:n,total:r,
x:o,parent:a,n:l}=e;n.set(e.graph.self[t]),r.set(e.graph.self[t]);for(let[i,u]of e.graph.cut[t])r[i]+=u;for(let i=l-1;i>
0;i--)r[a[i]]+=r[i];let s=new Float64Array(l);for(let i=1;i<l;i++){let u=a[i];o[i]=o[u]+s[u],s[u]+=r[i]}e.type=e.graph.types[t],
e.whole=e.graph.wholes?.[t],e.graph.diff&&!e.change&&tt(e)}function Ze(e,t){let n=0,r=0,o=0;for(let a=1;a<e.n;a++)t(e.fn[a])&&
(e.total[a]>0&&n++,a>=o&&(r+=e.total[a],o=e.end[a]));return{frames:n,sum:r}}function et(e,t){let n=t.length-1,r=-1;for(let o=1;o<
e.n;o++){if(e.fn[o]!==t[n]||r>=0&&e.total[o]<=e.total[r])continue;let a=n;for(let l=e.parent[o];a>0&&l>0&&e.fn[l]===t[a-
1];l=e.parent[l])a--;a===0&&(r=o)}return r}function he(e,t,n){let r=e.parent[t];if(r<0)return t;let o=t,a=!1;for(let l=r+
1;l<e.end[r];l=e.end[l])if(e.total[l]!==0){if(n>0&&a)return l;if(l===t){if(n<0)return o;a=!0}o=l}return t}function ye(e,t){
let n=t;for(let r=t+1;r<e.end[t];r=e.end[r])e.total[r]>0&&(n===t||e.total[r]>e.total[n])&&(n=r);return n}function le({tree:e},t,n){return e.fn[n]<0?"all":t.funcs[e.fn[n]][0]}function jt({tree:e},t,n){let r=e.fn[n]<0?-1:t.funcs[e.
fn[n]][1];return r<0?"":t.files[r]+(e.line[n]?":"+Math.abs(e.line[n]):"")}function re({tree:e},t){return V(t*e.type.scale,
e.type.unit)}function X({tree:e},t){let n=e.whole??e.total[0];return J(n?t/n:0)}function Ce(e,t,n){let[r,o]=e.links?.[e.
funcs[t]?.[1]]??[-1,""];return r<0?"":e.folders[r]+o.replace("{}",String(Math.max(n,1)))}function ke(e,t){let n=document.
createElement("a");return n.href=e,n.rel="noopener noreferrer",n.textContent=t,n}var Re={user:"your code",dependency:"a \
dependency",std:"the standard library",runtime:"the runtime",label:"the value of a label"};function nt(e,t,n){let r=e.tree.
fn[n],o=e.tree.line[n]<0?"inlined":"";return r<0?"":[Re[Y[t.funcs[r][2]]],jt(e,t,n),o].filter(Boolean).join(" · ")}function De(e,t,n){
let r=e.tree,o=r.change?[le(e,t,n),nt(e,t,n),...He(r,n)]:[le(e,t,n),nt(e,t,n),re(e,r.total[n])+" total, "+X(e,r.total[n])+
" · "+re(e,r.self[n])+" self, "+X(e,r.self[n])],a=r.parent[n];a>0&&r.total[a]>0&&o.push(J(r.total[n]/r.total[a])+" of "+
ne(t,r.fn[a]));let l=(t.marks??[]).filter(s=>s.fn===r.fn[n]);return{lines:o,findings:[...new Set(l.map(s=>s.id+": "+t.findings[s.
finding]))]}}function Fe(e,t,n=0,r=0){if(e.hidden=!t,!t)return;let{lines:o,findings:a}=t;e.replaceChildren(...[...o,...a].
map((s,i)=>{let u=document.createElement("div");return u.textContent=s,i>=o.length&&(u.className="finding-line"),u}));let l=e.
getBoundingClientRect();e.style.left=Math.max(8,Math.min(n+14,innerWidth-l.width-8))+"px",e.style.top=(r+18+l.height>innerHeight?
Math.max(8,r-l.height-12):r+18)+"px"}function rt(e,t){let n=e.tree,r=[],{match:o}=e;if(o){let a=Ze(n,l=>o.has(l));r.push(
a.frames?["Found ",X(e,a.sum)," ("+re(e,a.sum)+") in "+me(a.frames)+" frames"]:["Found ","nothing",""])}if(e.selected>=0){
let a=De(e,t,e.selected);r.push(["",a.lines[0]," "+[...a.lines.slice(1,n.change?4:3),...a.findings].filter(Boolean).join(
" · "),Ce(t,n.fn[e.selected],Math.abs(n.line[e.selected]))])}else if(!e.match){let a=e.zoom?" in "+le(e,t,e.zoom):"";n.
change?r.push(["",le(e,t,e.zoom),": "+He(n,e.zoom).join(" · ")]):r.push(["",re(e,n.total[e.zoom]),(n.whole?" ("+X(e,n.total[e.
zoom])+")":"")+" of "+n.type.name+a+", "+me(n.n-1)+" frames"])}return r.map(([a,l,s,i])=>{let u=document.createElement("\
span"),m=document.createElement("b");return m.textContent=l,u.append(a,m,s),i&&u.append(" · ",ke(i,"source")),u})}function ot(e,t){
let n=document.createElement("button");return n.type="button",n.setAttribute("role","tab"),n.textContent=e,n.addEventListener(
"click",t),n}function Z(e,t){let n=document.createElement("span"),r=document.createElement("span");return r.className="k\
ey "+e,n.append(r,t),n}function st(e,t){let n=e.tree;if(n.change)return lt();let r={user:"your code",dependency:"depende\
ncies",std:"standard library",runtime:"runtime"},o=new Float64Array(Y.length);for(let l=1;l<n.n;l++){let s=l;for(;te(t,n.
fn[s])&&n.parent[s]>0;)s=n.parent[s];te(t,n.fn[s])||(o[t.funcs[n.fn[s]][2]]+=n.self[l])}let a=Y.flatMap((l,s)=>o[s]>0?[Z(
l,r[l]+" "+X(e,o[s]))]:[]);return n.fn.some(l=>te(t,l))&&a.push(Z("label","value of a label")),n.line.some(l=>l<0)&&a.push(
Z("inlined",Se+"inlined by the compiler")),n.fn.some(l=>e.marks.has(l))&&a.push(Z("mark","frame of a finding")),a}function at(e,t,n){
let r=new Set(e.tree.fn),o=new Map;for(let a of t.marks??[]){if(!r.has(a.fn))continue;let l=o.get(a.finding)??{id:a.id,fns:new Set};
l.fns.add(a.fn),o.set(a.finding,l)}return[...o].sort(([a],[l])=>a-l).map(([a,{id:l,fns:s}])=>{let i=document.createElement(
"div"),u=document.createElement("a");return i.setAttribute("role","group"),i.setAttribute("aria-label",l+": "+t.findings[a]),
u.href=(t.page??"")+"#finding-"+a,u.title=t.findings[a],u.textContent=l,i.append(u,...[...s].map(m=>{let f=document.createElement(
"button");return f.type="button",f.title=t.funcs[m][0],f.textContent=Me(t.funcs[m][0]),f.addEventListener("click",()=>n(
m)),f})),i})}var Gt=[0,.01,.05];function tt(e){let t=n=>{let r=Float64Array.from(e.graph.self[n]);for(let[o,a]of e.graph.cut[n])r[o]+=
a;for(let o=e.n-1;o>0;o--)r[e.parent[o]]+=r[o];return r};e.sides=[t(0),t(1)],e.wholes=e.graph.wholes??[e.sides[0][0],e.sides[1][0]],
Pe(e)}function Pe(e){e.change=new Float64Array(e.n);let[t,n]=[e.sides,e.wholes],{diff:r,types:o}=e.graph,a=n[1]*o[1].scale;
for(let l=0;l<e.n;l++){let s=t[0][l]*o[0].scale-t[1][l]*o[1].scale,i=0;for(let u of[0,1])i+=r.sample[u]*t[u][l]*(1-t[u][l]/
n[u])*o[u].scale**2;Math.abs(s)>Math.max(2*Math.sqrt(Math.max(i,0)),r.noise*a)&&(e.change[l]=s/a)}}function Qe(e){let t=0;
for(let n of Gt)Math.abs(e)>n&&t++;return Math.sign(e)*t}function Vt(e){return(e>0?"+":"−")+J(Math.abs(e))}function Je(e){
return e===0?"":(e>0?"▲":"▼")+J(Math.abs(e)).replace(" ","")+" "}function He(e,t){let{types:n}=e.graph,r=e.sides[1][t]*
n[1].scale,o=e.sides[0][t]*n[0].scale,a=n[0].unit,l=o-r,s=e.wholes[1]*n[1].scale;return[V(r,a)+" "+n[1].name+", "+V(o,a)+
" "+n[0].name,e.change[t]===0?"no change beyond sampling error and noise":(l>0?"+":"")+V(l,a)+", "+Vt(l/s)+" of total "+
n[1].name]}function lt(){let e=["below 1 %","1 to 5 %","above 5 %"];return[...e.map((t,n)=>Z("more"+(n+1),"▲ more, "+t)),
...e.map((t,n)=>Z("less"+(n+1),"▼ less, "+t)),Z("none","no change beyond sampling error and noise")]}function we(e,t){return e.sides?e.sides.some(n=>n[t]>0):e.total[t]>0}function _t(e){let t=new Set;for(let n=1;n<e.n;n++)
e.parent[n]>0&&we(e,n)&&t.add(e.fn[e.parent[n]]);return t}function ct(e){let{types:t}=e.graph,n=s=>{let{self:i,total:u}=ie(
e.sides?{...e,self:e.graph.self[s],total:e.sides[s]}:e),m=e.sides?t[s].scale:e.type.scale;return{flat:i.map(f=>f*m),cum:u.
map(f=>f*m)}},r=_t(e),o=n(0),a=e.sides?n(1):null,l=[];return o.cum.forEach((s,i)=>{let u={fn:i,path:[i],calls:r.has(i),flat:o.
flat[i],cum:s};a&&Object.assign(u,{flatChange:u.flat-a.flat[i],cumChange:s-a.cum[i]}),(s>0||a&&a.cum[i]>0)&&l.push(u)}),
l}function it(e,t){let n=[];for(let r=t+1;r<e.end[t];r=e.end[r])we(e,r)&&n.push(r);return n}function ut(e,t){let n=t.tree??
de(e,t.fn),{types:r}=n.graph;return it(n,t.node??0).map(o=>{let a=i=>({flat:n.selves[i][o]*r[i].scale,cum:n.sides[i][o]*
r[i].scale}),l=n.sides?a(0):{flat:n.self[o]*n.type.scale,cum:n.total[o]*n.type.scale};if(n.sides){let i=a(1);Object.assign(
l,{flatChange:l.flat-i.flat,cumChange:l.cum-i.cum})}let s=n.fn[o];return{...l,fn:s,path:[...t.path,s],tree:n,node:o,calls:it(
n,o).length>0}})}function Ie(e,t){let n=t==="flat"?"cum":"flat",r=(o,a)=>Math.abs(o[`${a}Change`]??o[a]);return e.sort((o,a)=>r(
a,t)-r(o,t)||r(a,n)-r(o,n)||o.fn-a.fn)}function $t(e,t){return e===0?"0":(e>0?"+":"")+V(e,t)}function ft(e){let{unit:t}=e.
sides?e.graph.types[0]:e.type,n=(e.whole??e.total[0])*e.type.scale;return["flat","cum"].flatMap(r=>[[r,r==="flat"?"Flat":
"Cum",o=>V(o[r],t)],e.sides?["","change",o=>$t(o[`${r}Change`],t)]:["","share",o=>J(n?o[r]/n:0)]])}function xe(e,t){let n=[];for(let r=1;r<e.n;){if(e.fn[r]!==t){r++;continue}we(e,r)&&n.push(r),r=e.end[r]}return n}function mt(e,t){
let n=e.sides??[],r={parent:[-1],fn:[t],self:[0],total:[0],line:[0],most:[0],sides:n.map(()=>[0]),selves:n.map(()=>[0])},
o=new Map,a=e.funcs;function l(i,u){let m=i*a+u,f=o.get(m);if(f===void 0){f=r.fn.length,o.set(m,f),r.parent.push(i),r.fn.
push(u),r.self.push(0),r.total.push(0),r.line.push(0),r.most.push(0);for(let b of[...r.sides,...r.selves])b.push(0)}return f}
function s(i,u,m=u){r.total[i]+=e.total[u],e.total[m]>r.most[i]&&(r.most[i]=e.total[m],r.line[i]=e.line[m]),r.sides.forEach(
(f,b)=>{f[i]+=n[b][u]})}return{nodes:r,step:l,add:s}}function de(e,t){let{nodes:n,step:r,add:o}=mt(e,t),a=[0];for(let l of xe(
e,t))for(let s=l;s<e.end[l];s++){let i=e.depth[s]-e.depth[l];i>0&&(a[i]=r(a[i-1],e.fn[s])),o(a[i],s),n.self[a[i]]+=e.self[s],
n.selves.forEach((u,m)=>{u[a[i]]+=e.graph.self[m][s]})}return ht(e,n)}function pt(e,t){let{nodes:n,step:r,add:o}=mt(e,t);
for(let a of xe(e,t)){let l=0;o(0,a);for(let s=e.parent[a];s>0;s=e.parent[s])l=r(l,e.fn[s]),o(l,a,s)}return ht(e,n)}function ht(e,t){
let n=t.fn.length,r=Array.from({length:n},()=>[]);for(let s=1;s<n;s++)r[t.parent[s]].push(s);let o={n,graph:e.graph,type:e.
type,whole:e.whole??e.total[0],funcs:e.funcs,fn:new Int32Array(n),line:new Int32Array(n),depth:new Int32Array(n),parent:new Int32Array(
n),end:new Int32Array(n),self:new Float64Array(n),total:new Float64Array(n),x:new Float64Array(n)};e.sides&&(o.sides=e.sides.
map(()=>new Float64Array(n)),o.selves=e.sides.map(()=>new Float64Array(n)),o.wholes=e.wholes);let a=[[0,-1,0,0]],l=0;for(;a.
length;){let[s,i,u,m]=a.pop(),f=l++;o.fn[f]=t.fn[s],o.parent[f]=i,o.depth[f]=u,o.x[f]=m,o.self[f]=t.self[s],o.total[f]=t.
total[s],o.line[f]=t.line[s],o.sides?.forEach((A,x)=>{A[f]=t.sides[x][s]}),o.selves?.forEach((A,x)=>{A[f]=t.selves[x][s]});
let b=r[s].sort((A,x)=>t.total[x]-t.total[A]||t.fn[A]-t.fn[x]),T=m;for(let A of b)T+=t.total[A];for(let A of b.reverse())
T-=t.total[A],a.push([A,f,u+1,T])}return Ae(o),o.sides&&Pe(o),o}function ie(e){let t=new Float64Array(e.funcs),n=new Float64Array(
e.funcs),r=new Int32Array(e.funcs),o=[];for(let a=1;a<e.n;a++){for(;o.length>=e.depth[a];)r[o.pop()]--;let l=e.fn[a];t[l]+=
e.self[a],r[l]===0&&(n[l]+=e.total[a]),r[l]++,o.push(l)}return{self:t,total:n}}function Ne(e,t=e.keys()){let n=-1;for(let r of t)
e[r]>(n<0?0:e[n])&&(n=r);return n}function dt(e,t){let n=t.toLowerCase().split("|").map(l=>l.trim()).filter(Boolean);if(!n.length)return null;let r=l=>n.some(
s=>l.includes(s)),o=(e.files??[]).map(l=>r(l.toLowerCase())),a=new Set;return e.funcs.forEach(([l,s],i)=>{(r(l.toLowerCase())||
o[s])&&a.add(i)}),a}function Yt(e,t){let n=new Uint8Array(e.n);for(let r=1;r<e.n;r++)n[r]=n[e.parent[r]]||t.has(e.fn[r])?
1:0;return n}function gt(e,{focus:t,ignore:n,from:r}){let[o,a,l]=[t,n,r].map(m=>m&&Yt(e,m)),s=m=>(!o||o[m])&&!(a&&a[m])&&
(!l||l[m]),i=(m,f)=>m.reduce((b,T)=>b+T,0)+e.graph.cut[f].reduce((b,[,T])=>b+T,0),u={...e.graph,wholes:e.graph.self.map(
i),lines:{fn:[],line:[],self:[],total:[]},self:e.graph.self.map(m=>m.map((f,b)=>s(b)?f:0)),cut:e.graph.cut.map(m=>m.filter(
([f])=>s(f)))};return be(l?Xt(e,u,l):u,e.funcs)}function Xt(e,t,n){let r=[{depth:0,children:new Map}],o=new Int32Array(e.
n);for(let s=1;s<e.n;s++){if(!n[s])continue;let i=r[o[e.parent[s]]];i.children.has(e.fn[s])||(i.children.set(e.fn[s],r.length),
r.push({fn:e.fn[s],line:e.line[s],depth:i.depth+1,children:new Map})),o[s]=i.children.get(e.fn[s])}let a=s=>{let i=new Array(
r.length).fill(0);return s.forEach((u,m)=>{i[o[m]]+=u}),i},l=t.cut.map(s=>s.map(([i,u])=>[o[i],u]));return Qt({...t,self:t.
self.map(a),cut:l},r)}function Qt(e,t){let n=[...e.self[e.default]];for(let[s,i]of e.cut[e.default])n[s]+=i;for(let s=t.
length-1;s>=0;s--)for(let i of t[s].children.values())n[s]+=n[i];let r=[],o=[0];for(;o.length;){let s=o.pop();r.push(s);
for(let i of[...t[s].children.values()].sort((u,m)=>n[u]-n[m]))o.push(i)}let a=new Int32Array(t.length);r.forEach((s,i)=>{
a[s]=i});let l=r.slice(1);return{...e,fn:l.map(s=>t[s].fn),line:l.map(s=>t[s].line),up:l.map((s,i)=>t[r[i]].depth+1-t[s].
depth),self:e.self.map(s=>r.map(i=>s[i])),cut:e.cut.map(s=>s.map(([i,u])=>[a[i],u]))}}function Oe(e,t){if(e.hashes)return e.
hashes;let n=Be(t);e.hashes=new Uint32Array(e.n);for(let r=1;r<e.n;r++)e.hashes[r]=ze(e.hashes[e.parent[r]],n[e.fn[r]],e.
depth[r]);return e.hashes}function Be(e){return e.hashes??=e.funcs.map(([t])=>{let n=2166136261;for(let r=0;r<t.length;r++)
n=Math.imul(n^t.charCodeAt(r),16777619);return n}),e.hashes}function ze(e,t,n){return Math.imul(e^e>>>15^t,739982445)+n}
function qe(e,t,n){return n?Math.max(Oe(e,t).indexOf(n),0):0}function Jt(e,t,n){let r=e.graph.lines,o=[];if(r.fn?.forEach((s,i)=>{s===n&&o.push({line:r.line[i],self:r.self[t][i],total:r.
total[t][i]})}),o.length)return{rows:o,exact:!0};let a=new Map,l=s=>(a.has(s)||a.set(s,{line:s,self:0,total:0}),a.get(s));
for(let s of xe(e,n))l(e.line[s]).total+=e.total[s];for(let s=1;s<e.n;s++)e.fn[s]===n&&(l(e.line[s]).self+=e.self[s]);return{
rows:[...a.values()].sort((s,i)=>s.line-i.line),exact:!1}}function U(e,t,n){let r=document.createElement(e);return r.append(
t),n&&(r.className=n),r}function Zt(e){let t="http://www.w3.org/2000/svg",n=document.createElementNS(t,"svg");n.setAttribute(
"class","share"),n.setAttribute("viewBox","0 0 100 6"),n.setAttribute("preserveAspectRatio","none"),n.setAttribute("aria\
-hidden","true");for(let[r,o]of[["track",100],["fill",Math.min(100*e,100)]]){let a=document.createElementNS(t,"rect");a.
setAttribute("class",r),a.setAttribute("width",String(o)),a.setAttribute("height","6"),n.append(a)}return n}function bt(e,t,n,r){
let o=e.tree,{rows:a,exact:l}=Jt(o,n,r),s=document.createElement("table"),i=document.createElement("tr");for(let[b,T]of[
["Line","num"],["Self","num"],["Share","num"],["With callees","num"],["Share","num"],["",""]]){let A=U(b?"th":"td",b,T);
b&&(A.scope="col"),i.append(A)}let u=document.createElement("tbody"),m=o.whole??o.total[0];for(let b of a){let T=document.
createElement("tr"),A=Ce(t,r,b.line),x=U("th",A?ke(A,String(b.line)):b.line?String(b.line):"–","num");x.scope="row",T.
append(x,U("td",re(e,b.self),"num"),U("td",X(e,b.self),"num"),U("td",re(e,b.total),"num"),U("td",X(e,b.total),"num"),U("\
td",Zt(m?b.total/m:0),"barcell")),u.append(T)}if(s.append(U("thead",i),u),l)return[s];let f=U("p","The page has every li\
ne only for the heaviest functions. In this function, each frame counts at its heaviest line.","note");return[s,f]}var $=(()=>{let e={width:0,height:0,top:0,match:null,marks:new Map},t=[],n=[],r=[],o,a,l,s,i,u,m,f=0,b=0,T="graph",A=-1,
x=[],L=0,B=null,N=()=>{};function R(c){return a.querySelector(c)}function E(c,d={}){return{tree:c,zoom:0,base:0,dir:1,from:0,
hover:-1,selected:-1,...d}}function v(c=L){return{...e,...x[c]}}function y(){performance.clearMeasures("flame");let c=performance.
now();if(e.width=l.clientWidth,!e.width)return;let d=Ye(x,e.width)*z,g=parseFloat(getComputedStyle(l).maxHeight)||d;e.height=
Math.min(d,g),R(".spacer").style.height=d-e.height+"px",e.top=Math.min(l.scrollTop,d-e.height);let w=devicePixelRatio||1,
[H,ue]=[Math.round(e.width*w),Math.round(e.height*w)];(s.width!==H||s.height!==ue)&&(s.width=H,s.height=ue,s.style.width=
e.width+"px",s.style.height=e.height+"px"),i.setTransform(w,0,0,w,0,0),i.clearRect(0,0,e.width,e.height),x.forEach((an,Pt)=>Xe(
i,v(Pt),o)),performance.measure("flame",{start:c,end:performance.now()})}function S(){m.replaceChildren(...rt(v(),o)),T===
"lines"&&A>=0&&R(".lines").replaceChildren(...bt(C(),o,b,A))}function k(c){x[0].zoom=c,y(),S(),N(!0)}function F(c,d){for(let H of x)
H.selected=-1;L=c;let g=x[c];g.selected=d;let w=g.base+g.dir*g.tree.depth[d]*z;(w<l.scrollTop||w+z>l.scrollTop+e.height)&&
(l.scrollTop=w-e.height/2),y(),S(),N(!1)}function O(c){e.match=dt(o,c),T!=="graph"&&M(),y(),S(),N(!1)}function W(){for(let c of x)
c.selected=-1;x[0].zoom=0,L=0,R("input").value="",l.scrollTop=0,N(!0),O("")}function j(c){b=c;let d=t[f];if(ve(d,c),T===
"graph"){let g=x[0];for(;g.zoom>0&&d.total[g.zoom]===0;)g.zoom=d.parent[g.zoom]}else h(A);R(".types select").value=String(
c),R(".legend").replaceChildren(...st({...e,tree:d},o)),y(),S(),N(!0)}function G(c){f=c;let d=o.graphs[c];n[c]??=be(d,o.
funcs.length),t[c]??=B?gt(n[c],B):n[c],r.length=0,x=[E(t[c])],L=0,l.scrollTop=0,a.querySelectorAll(".tabs button").forEach(
(w,H)=>{w.setAttribute("aria-selected",String(H===c)),w.tabIndex=H===c?0:-1}),R(".types select").replaceChildren(...d.types.
map((w,H)=>new Option(w.name,String(H),!1,H===d.default))),R(".types").hidden=d.types.length<2,R(".marks").replaceChildren(
...at(v(),o,D)),ve(t[c],d.default),T!=="graph"&&(A=q()),j(d.default)}function q(){let{self:c,total:d}=ie(t[f]);return A>=
0&&d[A]>0?A:Math.max(Ne(c),0)}function _(c){let d=x[L];d.selected>=0&&d.tree.fn[d.selected]>=0&&(A=d.tree.fn[d.selected]),
T=c,r.length=0;for(let g of a.querySelectorAll(".modes button"))g.setAttribute("aria-pressed",String(g.dataset.mode===T));
a.dataset.mode=T,R(".function").hidden=T==="graph",R(".lines").hidden=T!=="lines",l.hidden=T==="lines",R(".legend").hidden=
T==="lines",l.scrollTop=0,T==="graph"?(x=[E(t[f])],L=0):h(q()),y(),S(),N(!0)}function h(c){A=c;let d=t[f];L=0,x=T==="san\
dwich"?[E(de(d,c),{selected:0}),E(pt(d,c),{dir:-1,from:1})]:[E(de(d,c),{selected:0})],M(),T==="sandwich"&&(e.width=l.clientWidth,
y(),l.scrollTop=Math.max(0,x[0].base-e.height/2))}function p(c){c<0||c===A||(r.push(A),h(c),y(),S(),N(!0))}function M(){
let{self:c,total:d}=ie(t[f]),g=[...d.keys()].filter(H=>d[H]>0&&(!e.match||e.match.has(H))).sort((H,ue)=>d[ue]-d[H]||c[ue]-
c[H]).slice(0,300);g.includes(A)||g.unshift(A);let w=H=>X(C(),d[H])+"  "+ne(o,H);R(".function select").replaceChildren(...g.
map(H=>new Option(w(H),String(H),!1,H===A)))}function C(){return{...e,tree:t[f]}}function D(...c){if(T!=="graph"){p(c.at(
-1));return}let d=t[f],g=et(d,c);if(g<0)return;let w=g;for(;w>0&&d.total[g]/d.total[w]>.12;)w=d.parent[w];x[0].zoom=w,y(),
N(!0),F(0,g)}function I(){let{tree:c,zoom:d,selected:g}=x[0],w=g<0?d:g;return{ArrowDown:()=>F(0,g<0?d:ye(c,w)),ArrowUp:()=>{
c.parent[w]<0||(w===d&&k(c.parent[w]),F(0,c.parent[w]))},ArrowLeft:()=>{w!==d&&F(0,he(c,w,-1))},ArrowRight:()=>{w!==d&&F(
0,he(c,w,1))},Enter:()=>k(w),Escape:()=>{d>0?k(c.parent[d]):W()},Home:W}}function K(){let{tree:c,selected:d}=x[L],g=Math.
max(d,0),w=()=>F(L,ye(c,g)),H=()=>F(c.parent[g]>0?L:0,Math.max(c.parent[g],0));return{ArrowDown:L===0?w:H,ArrowUp:()=>{L===
1?w():g>0?H():x[1].tree.n>1&&F(1,ye(x[1].tree,0))},ArrowLeft:()=>F(L,he(c,g,-1)),ArrowRight:()=>F(L,he(c,g,1)),Enter:()=>p(
c.fn[g]),Escape:()=>oe(),Home:()=>F(0,0)}}function oe(){r.length?(h(r.pop()),y(),S(),N(!0)):_("graph")}function se(c){let d=T===
"graph"?I():K();!d[c.key]||c.ctrlKey||c.metaKey||c.altKey||(c.preventDefault(),d[c.key]())}function Mt(){s.addEventListener(
"pointermove",c=>{let[d,g]=Le(x,e,c.offsetX,c.offsetY);x.some((w,H)=>w.hover!==(H===d?g:-1))&&(x.forEach((w,H)=>{w.hover=
H===d?g:-1}),y()),c.pointerType==="mouse"&&Fe(u,g<0?null:De(v(d),o,g),c.clientX,c.clientY)}),s.addEventListener("pointer\
leave",()=>{for(let c of x)c.hover=-1;Fe(u,null),y()}),s.addEventListener("click",c=>{let[d,g]=Le(x,e,c.offsetX,c.offsetY);
if(!(g<0)){if(T==="sandwich"){p(x[d].tree.fn[g]);return}x[0].selected=g,k(g)}})}function Lt(){let c=R(".tabs");c.replaceChildren(
...o.graphs.map((d,g)=>ot(d.title,()=>G(g)))),c.addEventListener("keydown",d=>{let g={ArrowRight:1,ArrowLeft:-1}[d.key];
g&&(G((f+g+o.graphs.length)%o.graphs.length),c.children[f].focus())})}function At(c,d){if(a=document.getElementById("fla\
me"),!(!a||!c.graphs?.length)){o=c,l=R(".stage"),s=l.querySelector("canvas"),i=s.getContext("2d"),u=R(".tip"),m=R(".stat\
us");for(let g of o.marks??[]){let w=e.marks.get(g.fn)??[];e.marks.set(g.fn,w.includes(g.id)?w:[...w,g.id])}Lt(),Mt(),l.
addEventListener("keydown",se),l.addEventListener("scroll",y);for(let g of a.querySelectorAll(".modes button"))g.addEventListener(
"click",()=>_(g.dataset.mode));R(".types select").addEventListener("change",g=>j(Number(g.target.value))),R(".function s\
elect").addEventListener("change",g=>p(Number(g.target.value))),R("input").addEventListener("input",g=>O(g.target.value)),
R("input").addEventListener("keydown",vt),R(".reset").addEventListener("click",W),G(o.marks?.[0]?.graph??0),d&&(N=d),new ResizeObserver(
y).observe(a),P.onChange(y)}}function vt(c){if(c.key!=="Enter"||!e.match?.size)return;let{total:d}=ie(t[f]),g=Ne(d,e.match);
g>=0&&D(g)}function Ct(c){let d=o.marks[c];T!=="graph"&&_("graph"),f!==d.graph&&G(d.graph),D(d.fn),a.scrollIntoView({block:"\
start"}),l.focus({preventScroll:!0})}function kt(c){f!==c&&G(c),l.focus({preventScroll:!0})}function Rt(){let{zoom:c,selected:d}=x[0],
g=w=>T==="graph"&&w>0?Oe(t[f],o)[w]:0;return{graph:f,type:o.graphs[f].types[b].name,view:T,zoom:g(c),at:g(d),fn:T==="gra\
ph"?"":o.funcs[A]?.[0]??"",find:R("input").value}}function Dt(c){let d=N;N=()=>{},B=c.filter,t.length=0,G(Math.min(c.graph,
o.graphs.length-1)),T!=="graph"&&_("graph");let g=o.graphs[f].types.findIndex(w=>w.name===c.type);if(g>=0&&g!==b&&j(g),R(
"input").value=c.find,O(c.find),c.view==="sandwich"||c.view==="lines")A=o.funcs.findIndex(([w])=>w===c.fn),_(c.view);else{
x[0].zoom=qe(t[f],o,c.zoom),y();let w=qe(t[f],o,c.at);w>0?F(0,w):S()}N=d}function Ft(){return{tree:t[f],column:b,match:e.
match}}function Ht(){let c=x[L];return c.selected>0||T!=="graph"&&c.selected===0?le(v(),o,c.selected):""}return{start:At,
showMark:Ct,showGraph:kt,reset:W,state:Rt,restore:Dt,shownFunctions:Ft,selectedName:Ht,jump:D,keys:se}})();var yt=[["graph","graph"],["type","type"],["view","view"],["fn","fn"],["zoom","zoom"],["at","at"],["q","find"]];function wt(){
let e=$.state();return{write:t=>{let n=$.state();for(let[r,o]of yt)n[o]!==e[o]&&t.set(r,String(n[o]))},read:t=>{let n=(r,o)=>Number(
t.get(r)??o)||0;$.restore({graph:Math.max(0,Math.trunc(n("graph",e.graph))),type:t.get("type")??e.type,view:t.get("view")??
e.view,fn:t.get("fn")??"",zoom:n("zoom",0),at:n("at",0),find:t.get("q")??"",filter:null})}}}var xt=e=>yt.some(([t])=>e.has(
t)),Et={write:e=>{let t=ae.range();t&&["from","to"].forEach((n,r)=>e.set(n,String(Math.round(t[r]*1e3)/1e3)))},read:e=>{
let[t,n]=["from","to"].map(r=>Number(e.get(r))||0);ae.show(e.has("from")&&t<n?[t,n]:null)}};var ce=(()=>{let e=[],t="",n=!1,r=!1,o=()=>{};function a(){let u=new URLSearchParams;for(let m of e)m.write(u);return u.
size?"#~"+u.toString().replaceAll("%2C",","):""}function l(u){r||=u,!n&&(n=!0,queueMicrotask(()=>{let m=a();if(m!==t){let f=new URL(
location.href);f.hash=m,r?history.pushState({view:m},"",f):history.replaceState({view:m},"",f),t=m}n=r=!1}))}function s(){
let u=location.hash&&!location.hash.startsWith("#~")?location.hash.slice(1):"",m=history.state?.view;if(u&&typeof m!="st\
ring"){o(u),t=a(),history.replaceState({view:t},"");return}let f=u?String(m):location.hash;if(f===t)return;let b=new URLSearchParams(
f.slice(2));for(let T of e)T.read(b);t=a()}function i(u,m){return e=u,m&&(o=m),addEventListener("popstate",s),addEventListener(
"hashchange",s),s(),new URLSearchParams(t.slice(2))}return{start:i,changed:l}})();var en=50,Ee=(()=>{let e=new Map,t=new Map,n=!1;function r(s){if(s.id)return s.id;let i=s.closest("[id]")??document.body,
u=[...i.querySelectorAll("details:not([id])")].filter(m=>(m.closest("[id]")??document.body)===i);return i.id+"."+u.indexOf(
s)}function o(s=ce.changed){for(let u of document.querySelectorAll("details"))e.set(u,u.open),t.set(r(u),u);document.addEventListener(
"toggle",()=>{n||s(!0)},!0);let i=[];addEventListener("beforeprint",()=>{n=!0,i=[...document.querySelectorAll("details.f\
inding:not([open])")];for(let u of i)u.open=!0}),addEventListener("afterprint",()=>{for(let u of i)u.open=!1;n=!1})}let a={
write:s=>{let i=[...t].filter(([,u])=>u.open!==e.get(u));for(let[u,m]of[["unfold",!0],["fold",!1]]){let f=i.filter(([,b])=>b.
open===m).map(([b])=>b).slice(0,en);f.length&&s.set(u,f.join(","))}},read:s=>{let i=f=>new Set((s.get(f)??"").split(",")),
u=i("unfold"),m=i("fold");for(let[f,b]of t)b.open=u.has(f)||e.get(b)&&!m.has(f)}};function l(s){let i=document.getElementById(
s);i instanceof HTMLDetailsElement&&(i.open=!0)}return{start:o,part:a,follow:l}})();var tn=50;function nn(e,t,n,{shown:r,show:o,changed:a}){let l=new Set,s=new WeakMap,i="flat",u=30,m=[],f,b;function T(){
let h=r(),p=[h.tree,h.column,h.match,i,u];if(p.every((I,K)=>I===m[K]))return;m=p,f=h.tree,b=ft(f);let M=s.get(S(document.
activeElement))?.key,C=Ie(ct(f).filter(I=>!h.match||h.match.has(I.fn)),i);e.replaceChildren(...C.length?A(C):[U("p","No \
function matches.","empty")]);let D=y();D.length&&(D[0].tabIndex=0),M!==void 0&&k(D.find(I=>s.get(I).key===M)??D[0])}function A(h){
let p=Q("table","treegrid","cards functions");p.setAttribute("aria-label","Functions"),p.setAttribute("aria-describedby",
"functions-how");let M=Q("thead","rowgroup");M.append(x());let C=Q("tbody","rowgroup");if(C.append(...h.slice(0,u).flatMap(
(I,K)=>L(I,K,h.length))),p.append(M,C),h.length<=u)return[p];let D=U("button","Show more: "+me(h.length-u)+" functions a\
re left","quiet more");return D.type="button",D.addEventListener("click",()=>{let I=u;u+=200,a(!1),k(y().filter(K=>K.ariaLevel===
"1")[I])}),[p,D]}function x(){let h=Q("tr","row"),p=Q("th","columnheader");return p.scope="col",p.append("Function"),h.append(
p,...b.map(([M,C])=>{let D=Q("th","columnheader","num");if(D.scope="col",!M)return D.append(C),D;let I=U("button",C+(M===
i?" ▾":""),"link");return I.type="button",I.dataset.sort=M,I.addEventListener("click",()=>{i=M,a(!0),e.querySelector("\
[data-sort="+M+"]")?.focus()}),M===i&&D.setAttribute("aria-sort","descending"),D.append(I),D})),h}function L(h,p,M){h.key=
rn(n,h.path);let C=Q("tr","row");return s.set(C,h),C.tabIndex=-1,C.setAttribute("aria-level",String(h.path.length)),C.setAttribute(
"aria-posinset",String(p+1)),C.setAttribute("aria-setsize",String(M)),h.calls&&C.setAttribute("aria-expanded",String(l.has(
h.key))),C.append(N(C,h),...b.map(([D,I,K],oe)=>{let se=Q("td","gridcell","num");return se.append(K(h)),se.dataset.label=
D?I.toLowerCase():b[oe-1][1].toLowerCase()+" "+I,se})),h.calls&&l.has(h.key)?[C,...B(h)]:[C]}function B(h){let p=Ie(ut(f,
h),i);return p.flatMap((M,C)=>L(M,C,p.length))}function N(h,p){let M=Q("th","rowheader");M.scope="row";let C=U("span",p.
calls?l.has(p.key)?"▾":"▸":"","twist");C.setAttribute("aria-hidden","true"),C.addEventListener("click",()=>{p.calls&&
F(h)});let D=U("button",n.funcs[p.fn][0],"link symbol");D.type="button",D.tabIndex=-1,D.addEventListener("click",()=>o(p.
path));let I=U("div",D);I.append(U("span",[...R(p.fn),...E(p.fn)].join(" · "),"sub"));let K=U("div",C,"tree");return K.
style.setProperty("--above",String(p.path.length-1)),K.append(I),M.append(K),M}function R(h){let[,p,M]=n.funcs[h];return M===
Te?[Y[M],n.files[p]]:[Y[M],...p<0?[]:[n.files[p].split("/").slice(-2).join("/")]]}function E(h){return[...new Set((n.marks??
[]).filter(p=>p.fn===h).map(p=>p.id))]}function v(h,p){let M=b.map(([,,K])=>K(p)),C=p.path.slice(0,-1).map(K=>ne(n,K)).reverse(),
D=E(p.fn),I=p.calls?h.ariaExpanded==="true"?"What it calls is open":"Right shows what it calls":"It calls nothing that w\
as counted";return[n.funcs[p.fn][0]+(C.length?", called by "+C.join(", by "):""),[["itself",0],["with what it calls",2]].
map(([K,oe])=>M[oe]+" "+K+", "+M[oe+1]+(f.sides?" against the base":" of all")).join("; "),(te(n,p.fn)?"It is ":"In ")+[
Re[Y[n.funcs[p.fn][2]]],...R(p.fn).slice(1)].join(", "),...D.length?["A place of "+D.join(", ")]:[],I].join(". ")+"."}function y(){
return[...e.querySelectorAll("tbody tr")]}function S(h){return h&&e.contains(h)?h.closest("tbody tr"):null}function k(h){
h?.focus()}function F(h){let p=s.get(h),M=!l.delete(p.key);if(M)l.add(p.key),h.after(...B(p));else for(;Number(h.nextElementSibling?.
ariaLevel)>p.path.length;)h.nextElementSibling.remove();h.setAttribute("aria-expanded",String(M)),h.querySelector(".twis\
t").textContent=M?"▾":"▸",S(document.activeElement)===h?t.textContent=v(h,p):e.querySelector('tbody tr[tabindex="0"]')||
(h.tabIndex=0),a(!1)}function O(h){let p=h.previousElementSibling;for(;p&&Number(p.ariaLevel)>=Number(h.ariaLevel);)p=p.
previousElementSibling;return p}function W(h){let p=S(h.target);if(!p||h.ctrlKey||h.metaKey||h.altKey)return;let M=p.ariaExpanded,
C={ArrowDown:()=>k(p.nextElementSibling),ArrowUp:()=>k(p.previousElementSibling),ArrowRight:()=>{M==="true"?k(p.nextElementSibling):
M&&F(p)},ArrowLeft:()=>{M==="true"?F(p):k(O(p))},Home:()=>k(y()[0]),End:()=>k(y().at(-1)),Enter:()=>o(s.get(p).path)}[h.
key];C&&(h.preventDefault(),h.stopPropagation(),C())}function j(h){let p=S(h.target);if(!p)return;for(let C of e.querySelectorAll(
'tbody tr[tabindex="0"]'))C.tabIndex=-1;p.tabIndex=0;let M=v(p,s.get(p));t.textContent!==M&&(t.textContent=M)}e.addEventListener(
"keydown",W),e.addEventListener("focusin",j);function G(){return{sort:i,open:[...l].slice(-tn).map(h=>h.toString(16)).join(
".")}}function q({sort:h,open:p}){i=h==="cum"?"cum":"flat",l.clear();for(let M of p.split("."))M&&l.add(Number.parseInt(
M,16));m=[]}function _(){let h=s.get(S(document.activeElement));return h?n.funcs[h.fn][0]:""}return{refresh:T,state:G,restore:q,
focusedName:_}}function Q(e,t,n){let r=document.createElement(e);return r.setAttribute("role",t),n&&(r.className=n),r}function rn(e,t){
let n=Be(e);return t.reduce((r,o,a)=>ze(r,n[o],a+1),0)>>>0}function on(e){let t=document.querySelector(".stage");$.jump(
...e),t.scrollIntoView({block:"center"}),t.focus({preventScroll:!0})}function Tt(e,t){let n=document.getElementById("fun\
ctions");if(!n)return $.start(e,t),[];let r,o=()=>{n.open&&r.refresh()},a=l=>{o(),t(l)};return r=nn(document.getElementById(
"function-table"),document.getElementById("row-said"),e,{shown:$.shownFunctions,show:on,changed:a}),$.start(e,a),n.addEventListener(
"toggle",o),[{write:l=>{let{sort:s,open:i}=r.state();s!=="flat"&&l.set("sort",s),i&&l.set("rows",i)},read:l=>{r.restore(
{sort:l.get("sort"),open:l.get("rows")??""}),o()}}]}document.documentElement.classList.add("js");P.start();Ee.start();var Ke=JSON.parse(document.getElementById("data").textContent);
ae.start(Ke.vitals);ae.onChange(()=>ce.changed(!0));var sn=Tt(Ke.flame,ce.changed),St=ce.start([...Ke.flame.graphs?.length?
[wt()]:[],Et,...sn,Ee.part],Ee.follow);xt(St)?document.getElementById("profiles")?.scrollIntoView():St.has("from")&&document.
getElementById("vitals")?.scrollIntoView();Ve();for(let e of document.querySelectorAll("[data-mark]"))e.addEventListener(
"click",()=>$.showMark(Number(e.dataset.mark)));for(let e of document.querySelectorAll("[data-graph]"))e.addEventListener(
"click",()=>$.showGraph(Number(e.dataset.graph)));})();

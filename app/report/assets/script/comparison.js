// Made of app/report/web/comparison.ts by `make web`.
"use strict";(()=>{function qe(){for(let e of document.querySelectorAll("[data-copy]"))e.addEventListener("click",async()=>{let n=document.
getElementById(e.dataset.copy);try{await navigator.clipboard.writeText(n.textContent),e.textContent="Copied"}catch{getSelection().
selectAllChildren(n),e.textContent="Selected"}})}var Ke=[[1099511627776," TiB",1],[1073741824," GiB",1],[1048576," MiB",1],[1024," KiB",1],[1," B",0]],Ft=[[86400," days",
2],[3600," h",2],[60," min",10],[1," s",1],[.001," ms",1],[1e-6," µs",1],[1e-9," ns",0]],Ht=[[1e12," T",1],[1e9," G",1],
[1e6," M",1],[1e3," k",0]];function We(e){return Number(e.toPrecision(3))}function Ue(e){return e.replace(/\.?0+(e|$)/,"\
$1")}function ee(e){if(e<0)return"−"+ee(-e);if(e===0)return"0";if(e<5e-7)return"<0.000001";if(e>=1e15)return Ue(e.toExponential(
2));if(e>=99.95)return e.toFixed(0).replace(/\B(?=(\d{3})+$)/g,",");let n=2-Math.floor(Math.log10(We(e))+1e-9),t=e.toFixed(
Math.min(n,6));return t.includes(".")?Ue(t):t}function Pt(e){return Math.abs(e)<1?Number(e.toPrecision(2)):Math.round(10*
e)/10}function ce(e,n){if(e<0)return"−"+ce(-e,n);for(let[t,r,o]of n)if(e>0?We(e/t)>=o:t===1)return ee(e/t)+r;return ee(
e)}function de(e){return e<0?"−"+de(-e):Math.round(e)<1e4?ee(e):ce(e,Ht)}function It(e,n){switch(n){case"bytes":return ce(
e,Ke);case"bytes/s":return ce(e,Ke)+"/s";case"seconds":return ce(e,Ft);case"share":return ee(Pt(100*e))+" %";case"cores":
return ee(e)==="1"?"1 core":ee(e)+" cores";case"1/s":return de(e)+"/s";case"count":case"":return de(e)}return de(e)+" "+
n}function V(e,n){return e==null||!Number.isFinite(e)?"–":It(e,n).replaceAll(" "," ")}function ue(e){return V(e,"coun\
t")}function J(e){return V(e,"share")}function je(e){let n=e<0?"−":"+",t=Math.round(Math.abs(e));if(t===0)return"0:00";
let r=l=>String(l).padStart(2,"0"),o=Math.floor(t/3600),a=Math.floor(t/60)%60;return n+(o?o+":"+r(a):a)+":"+r(t%60)}var P=(()=>{let e=document.documentElement,n=matchMedia("(prefers-color-scheme: dark)"),t=[],r=document.createElement("s\
pan");r.hidden=!0,document.body.append(r);let o="",a=!1,l=()=>!a&&(o?o==="dark":n.matches);function s(){e.style.colorScheme=
a?"light":o;let f=document.getElementById("theme");f.textContent=l()?"Light":"Dark";for(let b of t)b()}function i(){document.
getElementById("theme").addEventListener("click",()=>{o=l()?"light":"dark",s()}),n.addEventListener("change",s),addEventListener(
"beforeprint",()=>{a=!0,s()}),addEventListener("afterprint",()=>{a=!1,s()}),s()}function u(f){return r.style.color="var(\
--"+f+")",getComputedStyle(r).color}function m(f){return getComputedStyle(e).getPropertyValue("--"+f).trim()}return{start:i,
color:u,font:m,onChange:f=>t.push(f)}})();var Nt=(()=>{let t=Array.from({length:50},(E,v)=>2**v),r=[1,2,5,10,15,30,60,120,300,600,900,1800,3600,7200,14400,43200,86400],
o=[[],[6,3],[1.5,3]],a=[],l=[],s=null,i=()=>{};function u(E,v){return E===0?"0":V(E,v).replace(/\/s$|\u00a0cores?$/,"")}
function m(E){let y={font:"11px "+P.font("sans"),stroke:()=>P.color("muted"),grid:{stroke:()=>P.color("line"),width:1},ticks:{
show:!1}};return[{...y,incrs:r,space:56,size:22,gap:4,values:(S,R)=>R.map(je)},{...y,size:58,gap:6,space:26,...E.startsWith(
"bytes")?{incrs:t}:{},values:(S,R)=>R.map(F=>u(F,E))}]}function f(E,v){let{ctx:y}=E,S=devicePixelRatio,{left:R,top:F,width:O,
height:W}=E.bbox,j=[],G=q=>q.names.size===1?[...q.names][0]:[...q.names][0]+" +"+(q.names.size-1);y.save(),y.font=10*S+"\
px "+P.font("sans"),y.textBaseline="bottom",y.textAlign="left";for(let q of v){let _=E.valToPos(q.from,"x",!0),h=Math.max(
E.valToPos(q.to,"x",!0),_+1.5*S);if(h<R||_>R+O)continue;let p=Math.max(_,R),M=Math.min(h,R+O);y.fillStyle=q.to>q.from?P.
color("span"):P.color("line-strong"),y.fillRect(p,F,M-p,W);let C=j[j.length-1],D=q.label.split(", ");C&&p<C.x+y.measureText(
G(C)+" +9").width+6*S?D.forEach(I=>C.names.add(I)):j.push({x:p,names:new Set(D)})}y.fillStyle=P.color("muted");for(let q of j){
let _=Math.max(R,Math.min(q.x,R+O-y.measureText(G(q)).width));y.fillText(G(q),_,F-2*S)}y.restore()}function b(E){let v=Math.
round(E.valToPos(0,"x",!0)),{left:y,top:S,width:R,height:F}=E.bbox;v<y||v>y+R||(E.ctx.fillStyle=P.color("trip"),E.ctx.fillRect(
v,S,Math.max(devicePixelRatio,1.5),F))}function T(E,v,y,S){let R=E.querySelectorAll(".sig b"),F=v.t.findLastIndex(O=>O<=
0);return F<0&&(F=0),O=>{let W=O.cursor.idx??F;y.forEach((j,G)=>{R[G].textContent=V(j.v[W],S)})}}function A(E,v){return E===
v||!!E&&!!v&&E.every((y,S)=>Math.abs(y-v[S])<=1e-6*(v[1]-v[0]))}function x(E,v){let{min:y,max:S}=E.scales.x;if(v!=="x"||
y==null||S==null)return;let R=y<=l[0]&&S>=l.at(-1)?null:[y,S];A(R,s)||(L(R),i())}function L(E){s=E;for(let{u:v}of a)B(v)}
function B(E){let[v,y]=s??[l[0],l.at(-1)];E.setScale("x",{min:v,max:y})}function N(E,v){let y=v.charts[Number(E.dataset.
chart)],S=E.querySelector(".plot"),R=T(E,v,y.series,y.unit),F=new uPlot({width:S.clientWidth,height:140,padding:[14,20,0,
0],legend:{show:!1},cursor:{sync:{key:"vitals",filters:{pub:O=>O.startsWith("mousemove")||O==="mouseleave"}},y:!1,points:{
size:5},drag:{x:!0,y:!1}},scales:{x:{time:!1},y:{range:(O,W,j)=>[Math.min(W??0,0),j>0?j*1.12:1]}},axes:m(y.unit),series:[
{},...y.series.map((O,W)=>({label:O.name,stroke:()=>P.color("s"+Math.min(W,2)),width:1.5,points:{show:!1},spanGaps:!0,dash:o[Math.
min(W,2)]}))],hooks:{drawClear:[O=>f(O,v.spans??[])],draw:[b],setCursor:[R],setScale:[x]}},[v.t,...y.series.map(O=>O.v)],
S);R(F),a.push({u:F,box:S}),s&&B(F)}function k(E){if(!E.charts?.length)return;l=E.t;let v=new Set(document.querySelectorAll(
"[data-chart]")),y=new ResizeObserver(()=>{for(let S of v)S.clientWidth>0&&(v.delete(S),N(S,E));for(let{u:S,box:R}of a)R.
clientWidth>0&&R.clientWidth!==S.width&&S.setSize({width:R.clientWidth,height:140})});document.querySelectorAll(".charts").
forEach(S=>y.observe(S)),P.onChange(()=>a.forEach(({u:S})=>S.redraw(!1,!0)))}return{start:k,show:L,range:()=>s,onChange:E=>{
i=E}}})();var $=["user","dependency","std","runtime","label"],Ee=$.indexOf("label"),Te="↳ ",z=19,Ve=.5,fe=4;function Ot(){return{
owner:$.map(e=>P.color("f-"+e)),text:P.color("f-text"),rest:P.color("f-rest"),match:P.color("f-match"),mark:P.color("f-m\
ark"),markText:P.color("f-mark-text"),more:[1,2,3].map(e=>P.color("f-more"+e)),less:[1,2,3].map(e=>P.color("f-less"+e)),
none:P.color("f-none"),ground:P.color("raised"),focus:P.color("text"),muted:P.color("muted")}}function Se(e){let n=e.search(
/[[(]/);return e.slice(e.lastIndexOf("/",n<0?e.length:n)+1)}function te(e,n){return n>=0&&e.funcs[n][2]===Ee}function ne(e,n){
return te(e,n)?e.funcs[n][0]:Se(e.funcs[n][0])}function Bt(e,n,t){let r=e.depth[n];for(let o=n;o<e.end[n];){if(e.total[o]*
t<Ve){o=e.end[o];continue}e.depth[o]>r&&(r=e.depth[o]),o++}return r+1}function _e(e,n){let t=e.map(({tree:o,zoom:a})=>Bt(
o,a,o.total[a]>0?n/o.total[a]:0));if(e.length===1)return Math.max(t[0],3);let r=t[1]-1;for(let o of e)o.base=r*z;return Math.
max(r+t[0],3)}function Me(e,n,t,r){let o=Math.floor((r+n.top-e[0].base)/z),a=o<0?1:0,{tree:l,zoom:s}=e[a],i=Math.abs(o);
if(i<l.depth[s]){let m=s;for(;m>=0&&l.depth[m]>i;)m=l.parent[m];return[a,m]}let u=l.x[s]+t/n.width*l.total[s];for(let m=s;m<
l.end[s];){if(u<l.x[m]||u>=l.x[m]+l.total[m]){m=l.end[m];continue}if(l.depth[m]===i)return[a,m];m++}return[a,-1]}function $e(e,n,t){
let{tree:r,zoom:o,width:a,height:l,top:s,base:i,dir:u,from:m}=n,f=Ot(),b=r.total[o]>0?a/r.total[o]:0,T=new Float64Array(
4096).fill(-1);e.font="11.5px "+P.font("mono"),e.textBaseline="middle";let A=e.measureText("m").width,x={ctx:e,c:f,glyph:A,
view:n,data:t,t:r};for(let L=r.parent[o];L>=0;L=r.parent[L])Ge(x,L,0,r.depth[L]*z-s,a,!0);for(let L=o;L<r.end[o];){let B=i+
u*r.depth[L]*z-s,N=r.total[L]*b;if((u>0?B>l:B<-z)||N===0){L=r.end[L];continue}if(r.depth[L]<m){L++;continue}let k=(r.x[L]-
r.x[o])*b;if(N<Ve){let E=Math.floor(k);B>-z&&B<l&&T[r.depth[L]]<E&&(e.fillStyle=f.rest,e.fillRect(E,B,1,z-1),T[r.depth[L]]=
E),L=r.end[L];continue}B>-z&&B<l&&Ge(x,L,k,B,N,!1),L++}}function zt(e,n,t,r){if(!n.change)return r<0?e.rest:e.owner[r];let o=Ye(
n.change[t]);return o>0?e.more[o-1]:o<0?e.less[-o-1]:e.none}function Ge({ctx:e,c:n,glyph:t,view:r,data:o,t:a},l,s,i,u,m){
let f=a.fn[l],b=f<0?-1:o.funcs[f][2],T=r.match&&f>=0&&r.match.has(f),A=m||r.match&&!T;e.globalAlpha=A?.4:a.change?1:[1,.86,
.93][f<0?0:f%3],e.fillStyle=T?n.match:zt(n,a,l,b);let x=u>3?1:0;e.fillRect(s,i,u-x,z-1),T&&(e.fillStyle=n.text,e.fillRect(
s,i+z-3,u-x,2)),e.globalAlpha=m?.75:1;let L=s+fe,B=f<0?void 0:r.marks.get(f);B&&(L=qt(e,n,B,s,i,u-x,t));let N=a.change?Xe(
a.change[l]):"",k=a.line[l]<0?Te:"";Kt(e,N+k+(f<0?"all":ne(o,f)),n.text,L,i,s+u-fe,t),e.globalAlpha=1,(l===r.selected||l===
r.hover)&&(e.strokeStyle=n.focus,e.lineWidth=l===r.selected?2:1,e.strokeRect(s+1,i+1,Math.max(u-x-2,1),z-3))}function qt(e,n,t,r,o,a,l){
if(e.fillStyle=n.mark,a<5)return e.fillRect(r,o,a,z-1),r+fe;e.strokeStyle=n.mark,e.lineWidth=2,e.strokeRect(r+1,o+1,a-2,
z-3);let s=t.join(" "),i=s.length*l+8;return i>a?r+fe:(e.fillRect(r,o,i,z-1),e.fillStyle=n.markText,e.fillText(s,r+4,o+z/
2),r+i+fe)}function Kt(e,n,t,r,o,a,l){let s=Math.floor((a-Math.max(r,0))/l);s<2||(e.fillStyle=t,e.fillText(n.length<=s?n:
n.slice(0,s-1)+"…",Math.max(r,0),o+z/2))}function ge(e,n){let t=(e.fn??[]).length+1,r={n:t,graph:e,funcs:n,fn:new Int32Array(t),line:new Int32Array(t),depth:new Int32Array(
t),parent:new Int32Array(t),end:new Int32Array(t),self:new Float64Array(t),total:new Float64Array(t),x:new Float64Array(
t)};r.fn[0]=-1,r.parent[0]=-1;for(let o=1;o<t;o++){r.fn[o]=e.fn[o-1],r.line[o]=e.line[o-1];let a=o-1;for(let l=e.up[o-1];l>
0;l--)a=r.parent[a];r.parent[o]=a,r.depth[o]=r.depth[a]+1}return Le(r),r}function Le(e){for(let n=e.n-1;n>=0;n--)e.end[n]=
Math.max(e.end[n],n+1),n>0&&(e.end[e.parent[n]]=Math.max(e.end[e.parent[n]],e.end[n]))}function Ae(e,n){let{self:t,total:r,
x:o,parent:a,n:l}=e;t.set(e.graph.self[n]),r.set(e.graph.self[n]);for(let[i,u]of e.graph.cut[n])r[i]+=u;for(let i=l-1;i>
0;i--)r[a[i]]+=r[i];let s=new Float64Array(l);for(let i=1;i<l;i++){let u=a[i];o[i]=o[u]+s[u],s[u]+=r[i]}e.type=e.graph.types[n],
e.whole=e.graph.wholes?.[n],e.graph.diff&&!e.change&&Ze(e)}function Qe(e,n){let t=0,r=0,o=0;for(let a=1;a<e.n;a++)n(e.fn[a])&&
(e.total[a]>0&&t++,a>=o&&(r+=e.total[a],o=e.end[a]));return{frames:t,sum:r}}function Je(e,n){let t=n.length-1,r=-1;for(let o=1;o<
e.n;o++){if(e.fn[o]!==n[t]||r>=0&&e.total[o]<=e.total[r])continue;let a=t;for(let l=e.parent[o];a>0&&l>0&&e.fn[l]===n[a-
1];l=e.parent[l])a--;a===0&&(r=o)}return r}function me(e,n,t){let r=e.parent[n];if(r<0)return n;let o=n,a=!1;for(let l=r+
1;l<e.end[r];l=e.end[l])if(e.total[l]!==0){if(t>0&&a)return l;if(l===n){if(t<0)return o;a=!0}o=l}return n}function be(e,n){
let t=n;for(let r=n+1;r<e.end[n];r=e.end[r])e.total[r]>0&&(t===n||e.total[r]>e.total[t])&&(t=r);return t}function ae({tree:e},n,t){return e.fn[t]<0?"all":n.funcs[e.fn[t]][0]}function Ut({tree:e},n,t){let r=e.fn[t]<0?-1:n.funcs[e.
fn[t]][1];return r<0?"":n.files[r]+(e.line[t]?":"+Math.abs(e.line[t]):"")}function re({tree:e},n){return V(n*e.type.scale,
e.type.unit)}function Y({tree:e},n){let t=e.whole??e.total[0];return J(t?n/t:0)}function ve(e,n,t){let[r,o]=e.links?.[e.
funcs[n]?.[1]]??[-1,""];return r<0?"":e.folders[r]+o.replace("{}",String(Math.max(t,1)))}function Ce(e,n){let t=document.
createElement("a");return t.href=e,t.rel="noopener noreferrer",t.textContent=n,t}var Re={user:"your code",dependency:"a \
dependency",std:"the standard library",runtime:"the runtime",label:"the value of a label"};function et(e,n,t){let r=e.tree.
fn[t],o=e.tree.line[t]<0?"inlined":"";return r<0?"":[Re[$[n.funcs[r][2]]],Ut(e,n,t),o].filter(Boolean).join(" · ")}function ke(e,n,t){
let r=e.tree,o=r.change?[ae(e,n,t),et(e,n,t),...Fe(r,t)]:[ae(e,n,t),et(e,n,t),re(e,r.total[t])+" total, "+Y(e,r.total[t])+
" · "+re(e,r.self[t])+" self, "+Y(e,r.self[t])],a=r.parent[t];a>0&&r.total[a]>0&&o.push(J(r.total[t]/r.total[a])+" of "+
ne(n,r.fn[a]));let l=(n.marks??[]).filter(s=>s.fn===r.fn[t]);return{lines:o,findings:[...new Set(l.map(s=>s.id+": "+n.findings[s.
finding]))]}}function De(e,n,t=0,r=0){if(e.hidden=!n,!n)return;let{lines:o,findings:a}=n;e.replaceChildren(...[...o,...a].
map((s,i)=>{let u=document.createElement("div");return u.textContent=s,i>=o.length&&(u.className="finding-line"),u}));let l=e.
getBoundingClientRect();e.style.left=Math.max(8,Math.min(t+14,innerWidth-l.width-8))+"px",e.style.top=(r+18+l.height>innerHeight?
Math.max(8,r-l.height-12):r+18)+"px"}function tt(e,n){let t=e.tree,r=[],{match:o}=e;if(o){let a=Qe(t,l=>o.has(l));r.push(
a.frames?["Found ",Y(e,a.sum)," ("+re(e,a.sum)+") in "+ue(a.frames)+" frames"]:["Found ","nothing",""])}if(e.selected>=0){
let a=ke(e,n,e.selected);r.push(["",a.lines[0]," "+[...a.lines.slice(1,t.change?4:3),...a.findings].filter(Boolean).join(
" · "),ve(n,t.fn[e.selected],Math.abs(t.line[e.selected]))])}else if(!e.match){let a=e.zoom?" in "+ae(e,n,e.zoom):"";t.
change?r.push(["",ae(e,n,e.zoom),": "+Fe(t,e.zoom).join(" · ")]):r.push(["",re(e,t.total[e.zoom]),(t.whole?" ("+Y(e,t.total[e.
zoom])+")":"")+" of "+t.type.name+a+", "+ue(t.n-1)+" frames"])}return r.map(([a,l,s,i])=>{let u=document.createElement("\
span"),m=document.createElement("b");return m.textContent=l,u.append(a,m,s),i&&u.append(" · ",Ce(i,"source")),u})}function nt(e,n){
let t=document.createElement("button");return t.type="button",t.setAttribute("role","tab"),t.textContent=e,t.addEventListener(
"click",n),t}function Z(e,n){let t=document.createElement("span"),r=document.createElement("span");return r.className="k\
ey "+e,t.append(r,n),t}function rt(e,n){let t=e.tree;if(t.change)return st();let r={user:"your code",dependency:"depende\
ncies",std:"standard library",runtime:"runtime"},o=new Float64Array($.length);for(let l=1;l<t.n;l++){let s=l;for(;te(n,t.
fn[s])&&t.parent[s]>0;)s=t.parent[s];te(n,t.fn[s])||(o[n.funcs[t.fn[s]][2]]+=t.self[l])}let a=$.flatMap((l,s)=>o[s]>0?[Z(
l,r[l]+" "+Y(e,o[s]))]:[]);return t.fn.some(l=>te(n,l))&&a.push(Z("label","value of a label")),t.line.some(l=>l<0)&&a.push(
Z("inlined",Te+"inlined by the compiler")),t.fn.some(l=>e.marks.has(l))&&a.push(Z("mark","frame of a finding")),a}function ot(e,n,t){
let r=new Set(e.tree.fn),o=new Map;for(let a of n.marks??[]){if(!r.has(a.fn))continue;let l=o.get(a.finding)??{id:a.id,fns:new Set};
l.fns.add(a.fn),o.set(a.finding,l)}return[...o].sort(([a],[l])=>a-l).map(([a,{id:l,fns:s}])=>{let i=document.createElement(
"div"),u=document.createElement("a");return i.setAttribute("role","group"),i.setAttribute("aria-label",l+": "+n.findings[a]),
u.href=(n.page??"")+"#finding-"+a,u.title=n.findings[a],u.textContent=l,i.append(u,...[...s].map(m=>{let f=document.createElement(
"button");return f.type="button",f.title=n.funcs[m][0],f.textContent=Se(n.funcs[m][0]),f.addEventListener("click",()=>t(
m)),f})),i})}var Wt=[0,.01,.05];function Ze(e){let n=t=>{let r=Float64Array.from(e.graph.self[t]);for(let[o,a]of e.graph.cut[t])r[o]+=
a;for(let o=e.n-1;o>0;o--)r[e.parent[o]]+=r[o];return r};e.sides=[n(0),n(1)],e.wholes=e.graph.wholes??[e.sides[0][0],e.sides[1][0]],
He(e)}function He(e){e.change=new Float64Array(e.n);let[n,t]=[e.sides,e.wholes],{diff:r,types:o}=e.graph,a=t[1]*o[1].scale;
for(let l=0;l<e.n;l++){let s=n[0][l]*o[0].scale-n[1][l]*o[1].scale,i=0;for(let u of[0,1])i+=r.sample[u]*n[u][l]*(1-n[u][l]/
t[u])*o[u].scale**2;Math.abs(s)>Math.max(2*Math.sqrt(Math.max(i,0)),r.noise*a)&&(e.change[l]=s/a)}}function Ye(e){let n=0;
for(let t of Wt)Math.abs(e)>t&&n++;return Math.sign(e)*n}function jt(e){return(e>0?"+":"−")+J(Math.abs(e))}function Xe(e){
return e===0?"":(e>0?"▲":"▼")+J(Math.abs(e)).replace(" ","")+" "}function Fe(e,n){let{types:t}=e.graph,r=e.sides[1][n]*
t[1].scale,o=e.sides[0][n]*t[0].scale,a=t[0].unit,l=o-r,s=e.wholes[1]*t[1].scale;return[V(r,a)+" "+t[1].name+", "+V(o,a)+
" "+t[0].name,e.change[n]===0?"no change beyond sampling error and noise":(l>0?"+":"")+V(l,a)+", "+jt(l/s)+" of total "+
t[1].name]}function st(){let e=["below 1 %","1 to 5 %","above 5 %"];return[...e.map((n,t)=>Z("more"+(t+1),"▲ more, "+n)),
...e.map((n,t)=>Z("less"+(t+1),"▼ less, "+n)),Z("none","no change beyond sampling error and noise")]}function ye(e,n){return e.sides?e.sides.some(t=>t[n]>0):e.total[n]>0}function Gt(e){let n=new Set;for(let t=1;t<e.n;t++)
e.parent[t]>0&&ye(e,t)&&n.add(e.fn[e.parent[t]]);return n}function lt(e){let{types:n}=e.graph,t=s=>{let{self:i,total:u}=le(
e.sides?{...e,self:e.graph.self[s],total:e.sides[s]}:e),m=e.sides?n[s].scale:e.type.scale;return{flat:i.map(f=>f*m),cum:u.
map(f=>f*m)}},r=Gt(e),o=t(0),a=e.sides?t(1):null,l=[];return o.cum.forEach((s,i)=>{let u={fn:i,path:[i],calls:r.has(i),flat:o.
flat[i],cum:s};a&&Object.assign(u,{flatChange:u.flat-a.flat[i],cumChange:s-a.cum[i]}),(s>0||a&&a.cum[i]>0)&&l.push(u)}),
l}function at(e,n){let t=[];for(let r=n+1;r<e.end[n];r=e.end[r])ye(e,r)&&t.push(r);return t}function it(e,n){let t=n.tree??
pe(e,n.fn),{types:r}=t.graph;return at(t,n.node??0).map(o=>{let a=i=>({flat:t.selves[i][o]*r[i].scale,cum:t.sides[i][o]*
r[i].scale}),l=t.sides?a(0):{flat:t.self[o]*t.type.scale,cum:t.total[o]*t.type.scale};if(t.sides){let i=a(1);Object.assign(
l,{flatChange:l.flat-i.flat,cumChange:l.cum-i.cum})}let s=t.fn[o];return{...l,fn:s,path:[...n.path,s],tree:t,node:o,calls:at(
t,o).length>0}})}function Pe(e,n){let t=n==="flat"?"cum":"flat",r=(o,a)=>Math.abs(o[`${a}Change`]??o[a]);return e.sort((o,a)=>r(
a,n)-r(o,n)||r(a,t)-r(o,t)||o.fn-a.fn)}function Vt(e,n){return e===0?"0":(e>0?"+":"")+V(e,n)}function ct(e){let{unit:n}=e.
sides?e.graph.types[0]:e.type,t=(e.whole??e.total[0])*e.type.scale;return["flat","cum"].flatMap(r=>[[r,r==="flat"?"Flat":
"Cum",o=>V(o[r],n)],e.sides?["","change",o=>Vt(o[`${r}Change`],n)]:["","share",o=>J(t?o[r]/t:0)]])}function we(e,n){let t=[];for(let r=1;r<e.n;){if(e.fn[r]!==n){r++;continue}ye(e,r)&&t.push(r),r=e.end[r]}return t}function ut(e,n){
let t=e.sides??[],r={parent:[-1],fn:[n],self:[0],total:[0],line:[0],most:[0],sides:t.map(()=>[0]),selves:t.map(()=>[0])},
o=new Map,a=e.funcs;function l(i,u){let m=i*a+u,f=o.get(m);if(f===void 0){f=r.fn.length,o.set(m,f),r.parent.push(i),r.fn.
push(u),r.self.push(0),r.total.push(0),r.line.push(0),r.most.push(0);for(let b of[...r.sides,...r.selves])b.push(0)}return f}
function s(i,u,m=u){r.total[i]+=e.total[u],e.total[m]>r.most[i]&&(r.most[i]=e.total[m],r.line[i]=e.line[m]),r.sides.forEach(
(f,b)=>{f[i]+=t[b][u]})}return{nodes:r,step:l,add:s}}function pe(e,n){let{nodes:t,step:r,add:o}=ut(e,n),a=[0];for(let l of we(
e,n))for(let s=l;s<e.end[l];s++){let i=e.depth[s]-e.depth[l];i>0&&(a[i]=r(a[i-1],e.fn[s])),o(a[i],s),t.self[a[i]]+=e.self[s],
t.selves.forEach((u,m)=>{u[a[i]]+=e.graph.self[m][s]})}return mt(e,t)}function ft(e,n){let{nodes:t,step:r,add:o}=ut(e,n);
for(let a of we(e,n)){let l=0;o(0,a);for(let s=e.parent[a];s>0;s=e.parent[s])l=r(l,e.fn[s]),o(l,a,s)}return mt(e,t)}function mt(e,n){
let t=n.fn.length,r=Array.from({length:t},()=>[]);for(let s=1;s<t;s++)r[n.parent[s]].push(s);let o={n:t,graph:e.graph,type:e.
type,whole:e.whole??e.total[0],funcs:e.funcs,fn:new Int32Array(t),line:new Int32Array(t),depth:new Int32Array(t),parent:new Int32Array(
t),end:new Int32Array(t),self:new Float64Array(t),total:new Float64Array(t),x:new Float64Array(t)};e.sides&&(o.sides=e.sides.
map(()=>new Float64Array(t)),o.selves=e.sides.map(()=>new Float64Array(t)),o.wholes=e.wholes);let a=[[0,-1,0,0]],l=0;for(;a.
length;){let[s,i,u,m]=a.pop(),f=l++;o.fn[f]=n.fn[s],o.parent[f]=i,o.depth[f]=u,o.x[f]=m,o.self[f]=n.self[s],o.total[f]=n.
total[s],o.line[f]=n.line[s],o.sides?.forEach((A,x)=>{A[f]=n.sides[x][s]}),o.selves?.forEach((A,x)=>{A[f]=n.selves[x][s]});
let b=r[s].sort((A,x)=>n.total[x]-n.total[A]||n.fn[A]-n.fn[x]),T=m;for(let A of b)T+=n.total[A];for(let A of b.reverse())
T-=n.total[A],a.push([A,f,u+1,T])}return Le(o),o.sides&&He(o),o}function le(e){let n=new Float64Array(e.funcs),t=new Float64Array(
e.funcs),r=new Int32Array(e.funcs),o=[];for(let a=1;a<e.n;a++){for(;o.length>=e.depth[a];)r[o.pop()]--;let l=e.fn[a];n[l]+=
e.self[a],r[l]===0&&(t[l]+=e.total[a]),r[l]++,o.push(l)}return{self:n,total:t}}function Ie(e,n=e.keys()){let t=-1;for(let r of n)
e[r]>(t<0?0:e[t])&&(t=r);return t}function pt(e,n){let t=n.toLowerCase().split("|").map(l=>l.trim()).filter(Boolean);if(!t.length)return null;let r=l=>t.some(
s=>l.includes(s)),o=(e.files??[]).map(l=>r(l.toLowerCase())),a=new Set;return e.funcs.forEach(([l,s],i)=>{(r(l.toLowerCase())||
o[s])&&a.add(i)}),a}function _t(e,n){let t=new Uint8Array(e.n);for(let r=1;r<e.n;r++)t[r]=t[e.parent[r]]||n.has(e.fn[r])?
1:0;return t}function ht(e,{focus:n,ignore:t,from:r}){let[o,a,l]=[n,t,r].map(m=>m&&_t(e,m)),s=m=>(!o||o[m])&&!(a&&a[m])&&
(!l||l[m]),i=(m,f)=>m.reduce((b,T)=>b+T,0)+e.graph.cut[f].reduce((b,[,T])=>b+T,0),u={...e.graph,wholes:e.graph.self.map(
i),lines:{fn:[],line:[],self:[],total:[]},self:e.graph.self.map(m=>m.map((f,b)=>s(b)?f:0)),cut:e.graph.cut.map(m=>m.filter(
([f])=>s(f)))};return ge(l?$t(e,u,l):u,e.funcs)}function $t(e,n,t){let r=[{depth:0,children:new Map}],o=new Int32Array(e.
n);for(let s=1;s<e.n;s++){if(!t[s])continue;let i=r[o[e.parent[s]]];i.children.has(e.fn[s])||(i.children.set(e.fn[s],r.length),
r.push({fn:e.fn[s],line:e.line[s],depth:i.depth+1,children:new Map})),o[s]=i.children.get(e.fn[s])}let a=s=>{let i=new Array(
r.length).fill(0);return s.forEach((u,m)=>{i[o[m]]+=u}),i},l=n.cut.map(s=>s.map(([i,u])=>[o[i],u]));return Yt({...n,self:n.
self.map(a),cut:l},r)}function Yt(e,n){let t=[...e.self[e.default]];for(let[s,i]of e.cut[e.default])t[s]+=i;for(let s=n.
length-1;s>=0;s--)for(let i of n[s].children.values())t[s]+=t[i];let r=[],o=[0];for(;o.length;){let s=o.pop();r.push(s);
for(let i of[...n[s].children.values()].sort((u,m)=>t[u]-t[m]))o.push(i)}let a=new Int32Array(n.length);r.forEach((s,i)=>{
a[s]=i});let l=r.slice(1);return{...e,fn:l.map(s=>n[s].fn),line:l.map(s=>n[s].line),up:l.map((s,i)=>n[r[i]].depth+1-n[s].
depth),self:e.self.map(s=>r.map(i=>s[i])),cut:e.cut.map(s=>s.map(([i,u])=>[a[i],u]))}}function Ne(e,n){if(e.hashes)return e.
hashes;let t=Oe(n);e.hashes=new Uint32Array(e.n);for(let r=1;r<e.n;r++)e.hashes[r]=Be(e.hashes[e.parent[r]],t[e.fn[r]],e.
depth[r]);return e.hashes}function Oe(e){return e.hashes??=e.funcs.map(([n])=>{let t=2166136261;for(let r=0;r<n.length;r++)
t=Math.imul(t^n.charCodeAt(r),16777619);return t}),e.hashes}function Be(e,n,t){return Math.imul(e^e>>>15^n,739982445)+t}
function ze(e,n,t){return t?Math.max(Ne(e,n).indexOf(t),0):0}function Xt(e,n,t){let r=e.graph.lines,o=[];if(r.fn?.forEach((s,i)=>{s===t&&o.push({line:r.line[i],self:r.self[n][i],total:r.
total[n][i]})}),o.length)return{rows:o,exact:!0};let a=new Map,l=s=>(a.has(s)||a.set(s,{line:s,self:0,total:0}),a.get(s));
for(let s of we(e,t))l(e.line[s]).total+=e.total[s];for(let s=1;s<e.n;s++)e.fn[s]===t&&(l(e.line[s]).self+=e.self[s]);return{
rows:[...a.values()].sort((s,i)=>s.line-i.line),exact:!1}}function U(e,n,t){let r=document.createElement(e);return r.append(
n),t&&(r.className=t),r}function Qt(e){let n="http://www.w3.org/2000/svg",t=document.createElementNS(n,"svg");t.setAttribute(
"class","share"),t.setAttribute("viewBox","0 0 100 6"),t.setAttribute("preserveAspectRatio","none"),t.setAttribute("aria\
-hidden","true");for(let[r,o]of[["track",100],["fill",Math.min(100*e,100)]]){let a=document.createElementNS(n,"rect");a.
setAttribute("class",r),a.setAttribute("width",String(o)),a.setAttribute("height","6"),t.append(a)}return t}function dt(e,n,t,r){
let o=e.tree,{rows:a,exact:l}=Xt(o,t,r),s=document.createElement("table"),i=document.createElement("tr");for(let[b,T]of[
["Line","num"],["Self","num"],["Share","num"],["With callees","num"],["Share","num"],["",""]]){let A=U(b?"th":"td",b,T);
b&&(A.scope="col"),i.append(A)}let u=document.createElement("tbody"),m=o.whole??o.total[0];for(let b of a){let T=document.
createElement("tr"),A=ve(n,r,b.line),x=U("th",A?Ce(A,String(b.line)):b.line?String(b.line):"–","num");x.scope="row",T.
append(x,U("td",re(e,b.self),"num"),U("td",Y(e,b.self),"num"),U("td",re(e,b.total),"num"),U("td",Y(e,b.total),"num"),U("\
td",Qt(m?b.total/m:0),"barcell")),u.append(T)}if(s.append(U("thead",i),u),l)return[s];let f=U("p","The page has every li\
ne only for the heaviest functions. In this function, each frame counts at its heaviest line.","note");return[s,f]}var X=(()=>{let e={width:0,height:0,top:0,match:null,marks:new Map},n=[],t=[],r=[],o,a,l,s,i,u,m,f=0,b=0,T="graph",A=-1,
x=[],L=0,B=null,N=()=>{};function k(c){return a.querySelector(c)}function E(c,d={}){return{tree:c,zoom:0,base:0,dir:1,from:0,
hover:-1,selected:-1,...d}}function v(c=L){return{...e,...x[c]}}function y(){performance.clearMeasures("flame");let c=performance.
now();if(e.width=l.clientWidth,!e.width)return;let d=_e(x,e.width)*z,g=parseFloat(getComputedStyle(l).maxHeight)||d;e.height=
Math.min(d,g),k(".spacer").style.height=d-e.height+"px",e.top=Math.min(l.scrollTop,d-e.height);let w=devicePixelRatio||1,
[H,ie]=[Math.round(e.width*w),Math.round(e.height*w)];(s.width!==H||s.height!==ie)&&(s.width=H,s.height=ie,s.style.width=
e.width+"px",s.style.height=e.height+"px"),i.setTransform(w,0,0,w,0,0),i.clearRect(0,0,e.width,e.height),x.forEach((sn,Dt)=>$e(
i,v(Dt),o)),performance.measure("flame",{start:c,end:performance.now()})}function S(){m.replaceChildren(...tt(v(),o)),T===
"lines"&&A>=0&&k(".lines").replaceChildren(...dt(C(),o,b,A))}function R(c){x[0].zoom=c,y(),S(),N(!0)}function F(c,d){for(let H of x)
H.selected=-1;L=c;let g=x[c];g.selected=d;let w=g.base+g.dir*g.tree.depth[d]*z;(w<l.scrollTop||w+z>l.scrollTop+e.height)&&
(l.scrollTop=w-e.height/2),y(),S(),N(!1)}function O(c){e.match=pt(o,c),T!=="graph"&&M(),y(),S(),N(!1)}function W(){for(let c of x)
c.selected=-1;x[0].zoom=0,L=0,k("input").value="",l.scrollTop=0,N(!0),O("")}function j(c){b=c;let d=n[f];if(Ae(d,c),T===
"graph"){let g=x[0];for(;g.zoom>0&&d.total[g.zoom]===0;)g.zoom=d.parent[g.zoom]}else h(A);k(".types select").value=String(
c),k(".legend").replaceChildren(...rt({...e,tree:d},o)),y(),S(),N(!0)}function G(c){f=c;let d=o.graphs[c];t[c]??=ge(d,o.
funcs.length),n[c]??=B?ht(t[c],B):t[c],r.length=0,x=[E(n[c])],L=0,l.scrollTop=0,a.querySelectorAll(".tabs button").forEach(
(w,H)=>{w.setAttribute("aria-selected",String(H===c)),w.tabIndex=H===c?0:-1}),k(".types select").replaceChildren(...d.types.
map((w,H)=>new Option(w.name,String(H),!1,H===d.default))),k(".types").hidden=d.types.length<2,k(".marks").replaceChildren(
...ot(v(),o,D)),Ae(n[c],d.default),T!=="graph"&&(A=q()),j(d.default)}function q(){let{self:c,total:d}=le(n[f]);return A>=
0&&d[A]>0?A:Math.max(Ie(c),0)}function _(c){let d=x[L];d.selected>=0&&d.tree.fn[d.selected]>=0&&(A=d.tree.fn[d.selected]),
T=c,r.length=0;for(let g of a.querySelectorAll(".modes button"))g.setAttribute("aria-pressed",String(g.dataset.mode===T));
a.dataset.mode=T,k(".function").hidden=T==="graph",k(".lines").hidden=T!=="lines",l.hidden=T==="lines",k(".legend").hidden=
T==="lines",l.scrollTop=0,T==="graph"?(x=[E(n[f])],L=0):h(q()),y(),S(),N(!0)}function h(c){A=c;let d=n[f];L=0,x=T==="san\
dwich"?[E(pe(d,c),{selected:0}),E(ft(d,c),{dir:-1,from:1})]:[E(pe(d,c),{selected:0})],M(),T==="sandwich"&&(e.width=l.clientWidth,
y(),l.scrollTop=Math.max(0,x[0].base-e.height/2))}function p(c){c<0||c===A||(r.push(A),h(c),y(),S(),N(!0))}function M(){
let{self:c,total:d}=le(n[f]),g=[...d.keys()].filter(H=>d[H]>0&&(!e.match||e.match.has(H))).sort((H,ie)=>d[ie]-d[H]||c[ie]-
c[H]).slice(0,300);g.includes(A)||g.unshift(A);let w=H=>Y(C(),d[H])+"  "+ne(o,H);k(".function select").replaceChildren(...g.
map(H=>new Option(w(H),String(H),!1,H===A)))}function C(){return{...e,tree:n[f]}}function D(...c){if(T!=="graph"){p(c.at(
-1));return}let d=n[f],g=Je(d,c);if(g<0)return;let w=g;for(;w>0&&d.total[g]/d.total[w]>.12;)w=d.parent[w];x[0].zoom=w,y(),
N(!0),F(0,g)}function I(){let{tree:c,zoom:d,selected:g}=x[0],w=g<0?d:g;return{ArrowDown:()=>F(0,g<0?d:be(c,w)),ArrowUp:()=>{
c.parent[w]<0||(w===d&&R(c.parent[w]),F(0,c.parent[w]))},ArrowLeft:()=>{w!==d&&F(0,me(c,w,-1))},ArrowRight:()=>{w!==d&&F(
0,me(c,w,1))},Enter:()=>R(w),Escape:()=>{d>0?R(c.parent[d]):W()},Home:W}}function K(){let{tree:c,selected:d}=x[L],g=Math.
max(d,0),w=()=>F(L,be(c,g)),H=()=>F(c.parent[g]>0?L:0,Math.max(c.parent[g],0));return{ArrowDown:L===0?w:H,ArrowUp:()=>{L===
1?w():g>0?H():x[1].tree.n>1&&F(1,be(x[1].tree,0))},ArrowLeft:()=>F(L,me(c,g,-1)),ArrowRight:()=>F(L,me(c,g,1)),Enter:()=>p(
c.fn[g]),Escape:()=>oe(),Home:()=>F(0,0)}}function oe(){r.length?(h(r.pop()),y(),S(),N(!0)):_("graph")}function se(c){let d=T===
"graph"?I():K();!d[c.key]||c.ctrlKey||c.metaKey||c.altKey||(c.preventDefault(),d[c.key]())}function Et(){s.addEventListener(
"pointermove",c=>{let[d,g]=Me(x,e,c.offsetX,c.offsetY);x.some((w,H)=>w.hover!==(H===d?g:-1))&&(x.forEach((w,H)=>{w.hover=
H===d?g:-1}),y()),c.pointerType==="mouse"&&De(u,g<0?null:ke(v(d),o,g),c.clientX,c.clientY)}),s.addEventListener("pointer\
leave",()=>{for(let c of x)c.hover=-1;De(u,null),y()}),s.addEventListener("click",c=>{let[d,g]=Me(x,e,c.offsetX,c.offsetY);
if(!(g<0)){if(T==="sandwich"){p(x[d].tree.fn[g]);return}x[0].selected=g,R(g)}})}function Tt(){let c=k(".tabs");c.replaceChildren(
...o.graphs.map((d,g)=>nt(d.title,()=>G(g)))),c.addEventListener("keydown",d=>{let g={ArrowRight:1,ArrowLeft:-1}[d.key];
g&&(G((f+g+o.graphs.length)%o.graphs.length),c.children[f].focus())})}function St(c,d){if(a=document.getElementById("fla\
me"),!(!a||!c.graphs?.length)){o=c,l=k(".stage"),s=l.querySelector("canvas"),i=s.getContext("2d"),u=k(".tip"),m=k(".stat\
us");for(let g of o.marks??[]){let w=e.marks.get(g.fn)??[];e.marks.set(g.fn,w.includes(g.id)?w:[...w,g.id])}Tt(),Et(),l.
addEventListener("keydown",se),l.addEventListener("scroll",y);for(let g of a.querySelectorAll(".modes button"))g.addEventListener(
"click",()=>_(g.dataset.mode));k(".types select").addEventListener("change",g=>j(Number(g.target.value))),k(".function s\
elect").addEventListener("change",g=>p(Number(g.target.value))),k("input").addEventListener("input",g=>O(g.target.value)),
k("input").addEventListener("keydown",Mt),k(".reset").addEventListener("click",W),G(o.marks?.[0]?.graph??0),d&&(N=d),new ResizeObserver(
y).observe(a),P.onChange(y)}}function Mt(c){if(c.key!=="Enter"||!e.match?.size)return;let{total:d}=le(n[f]),g=Ie(d,e.match);
g>=0&&D(g)}function Lt(c){let d=o.marks[c];T!=="graph"&&_("graph"),f!==d.graph&&G(d.graph),D(d.fn),a.scrollIntoView({block:"\
start"}),l.focus({preventScroll:!0})}function At(c){f!==c&&G(c),l.focus({preventScroll:!0})}function vt(){let{zoom:c,selected:d}=x[0],
g=w=>T==="graph"&&w>0?Ne(n[f],o)[w]:0;return{graph:f,type:o.graphs[f].types[b].name,view:T,zoom:g(c),at:g(d),fn:T==="gra\
ph"?"":o.funcs[A]?.[0]??"",find:k("input").value}}function Ct(c){let d=N;N=()=>{},B=c.filter,n.length=0,G(Math.min(c.graph,
o.graphs.length-1)),T!=="graph"&&_("graph");let g=o.graphs[f].types.findIndex(w=>w.name===c.type);if(g>=0&&g!==b&&j(g),k(
"input").value=c.find,O(c.find),c.view==="sandwich"||c.view==="lines")A=o.funcs.findIndex(([w])=>w===c.fn),_(c.view);else{
x[0].zoom=ze(n[f],o,c.zoom),y();let w=ze(n[f],o,c.at);w>0?F(0,w):S()}N=d}function Rt(){return{tree:n[f],column:b,match:e.
match}}function kt(){let c=x[L];return c.selected>0||T!=="graph"&&c.selected===0?ae(v(),o,c.selected):""}return{start:St,
showMark:Lt,showGraph:At,reset:W,state:vt,restore:Ct,shownFunctions:Rt,selectedName:kt,jump:D,keys:se}})();var gt=[["graph","graph"],["type","type"],["view","view"],["fn","fn"],["zoom","zoom"],["at","at"],["q","find"]];function bt(){
let e=X.state();return{write:n=>{let t=X.state();for(let[r,o]of gt)t[o]!==e[o]&&n.set(r,String(t[o]))},read:n=>{let t=(r,o)=>Number(
n.get(r)??o)||0;X.restore({graph:Math.max(0,Math.trunc(t("graph",e.graph))),type:n.get("type")??e.type,view:n.get("view")??
e.view,fn:n.get("fn")??"",zoom:t("zoom",0),at:t("at",0),find:n.get("q")??"",filter:null})}}}var yt=e=>gt.some(([n])=>e.has(
n));var he=(()=>{let e=[],n="",t=!1,r=!1,o=()=>{};function a(){let u=new URLSearchParams;for(let m of e)m.write(u);return u.
size?"#~"+u.toString().replaceAll("%2C",","):""}function l(u){r||=u,!t&&(t=!0,queueMicrotask(()=>{let m=a();if(m!==n){let f=new URL(
location.href);f.hash=m,r?history.pushState({view:m},"",f):history.replaceState({view:m},"",f),n=m}t=r=!1}))}function s(){
let u=location.hash&&!location.hash.startsWith("#~")?location.hash.slice(1):"",m=history.state?.view;if(u&&typeof m!="st\
ring"){o(u),n=a(),history.replaceState({view:n},"");return}let f=u?String(m):location.hash;if(f===n)return;let b=new URLSearchParams(
f.slice(2));for(let T of e)T.read(b);n=a()}function i(u,m){return e=u,m&&(o=m),addEventListener("popstate",s),addEventListener(
"hashchange",s),s(),new URLSearchParams(n.slice(2))}return{start:i,changed:l}})();var Jt=50,xe=(()=>{let e=new Map,n=new Map,t=!1;function r(s){if(s.id)return s.id;let i=s.closest("[id]")??document.body,
u=[...i.querySelectorAll("details:not([id])")].filter(m=>(m.closest("[id]")??document.body)===i);return i.id+"."+u.indexOf(
s)}function o(s=he.changed){for(let u of document.querySelectorAll("details"))e.set(u,u.open),n.set(r(u),u);document.addEventListener(
"toggle",()=>{t||s(!0)},!0);let i=[];addEventListener("beforeprint",()=>{t=!0,i=[...document.querySelectorAll("details.f\
inding:not([open])")];for(let u of i)u.open=!0}),addEventListener("afterprint",()=>{for(let u of i)u.open=!1;t=!1})}let a={
write:s=>{let i=[...n].filter(([,u])=>u.open!==e.get(u));for(let[u,m]of[["unfold",!0],["fold",!1]]){let f=i.filter(([,b])=>b.
open===m).map(([b])=>b).slice(0,Jt);f.length&&s.set(u,f.join(","))}},read:s=>{let i=f=>new Set((s.get(f)??"").split(",")),
u=i("unfold"),m=i("fold");for(let[f,b]of n)b.open=u.has(f)||e.get(b)&&!m.has(f)}};function l(s){let i=document.getElementById(
s);i instanceof HTMLDetailsElement&&(i.open=!0)}return{start:o,part:a,follow:l}})();var Zt=50;function en(e,n,t,{shown:r,show:o,changed:a}){let l=new Set,s=new WeakMap,i="flat",u=30,m=[],f,b;function T(){
let h=r(),p=[h.tree,h.column,h.match,i,u];if(p.every((I,K)=>I===m[K]))return;m=p,f=h.tree,b=ct(f);let M=s.get(S(document.
activeElement))?.key,C=Pe(lt(f).filter(I=>!h.match||h.match.has(I.fn)),i);e.replaceChildren(...C.length?A(C):[U("p","No \
function matches.","empty")]);let D=y();D.length&&(D[0].tabIndex=0),M!==void 0&&R(D.find(I=>s.get(I).key===M)??D[0])}function A(h){
let p=Q("table","treegrid","cards functions");p.setAttribute("aria-label","Functions"),p.setAttribute("aria-describedby",
"functions-how");let M=Q("thead","rowgroup");M.append(x());let C=Q("tbody","rowgroup");if(C.append(...h.slice(0,u).flatMap(
(I,K)=>L(I,K,h.length))),p.append(M,C),h.length<=u)return[p];let D=U("button","Show more: "+ue(h.length-u)+" functions a\
re left","quiet more");return D.type="button",D.addEventListener("click",()=>{let I=u;u+=200,a(!1),R(y().filter(K=>K.ariaLevel===
"1")[I])}),[p,D]}function x(){let h=Q("tr","row"),p=Q("th","columnheader");return p.scope="col",p.append("Function"),h.append(
p,...b.map(([M,C])=>{let D=Q("th","columnheader","num");if(D.scope="col",!M)return D.append(C),D;let I=U("button",C+(M===
i?" ▾":""),"link");return I.type="button",I.dataset.sort=M,I.addEventListener("click",()=>{i=M,a(!0),e.querySelector("\
[data-sort="+M+"]")?.focus()}),M===i&&D.setAttribute("aria-sort","descending"),D.append(I),D})),h}function L(h,p,M){h.key=
tn(t,h.path);let C=Q("tr","row");return s.set(C,h),C.tabIndex=-1,C.setAttribute("aria-level",String(h.path.length)),C.setAttribute(
"aria-posinset",String(p+1)),C.setAttribute("aria-setsize",String(M)),h.calls&&C.setAttribute("aria-expanded",String(l.has(
h.key))),C.append(N(C,h),...b.map(([D,I,K],oe)=>{let se=Q("td","gridcell","num");return se.append(K(h)),se.dataset.label=
D?I.toLowerCase():b[oe-1][1].toLowerCase()+" "+I,se})),h.calls&&l.has(h.key)?[C,...B(h)]:[C]}function B(h){let p=Pe(it(f,
h),i);return p.flatMap((M,C)=>L(M,C,p.length))}function N(h,p){let M=Q("th","rowheader");M.scope="row";let C=U("span",p.
calls?l.has(p.key)?"▾":"▸":"","twist");C.setAttribute("aria-hidden","true"),C.addEventListener("click",()=>{p.calls&&
F(h)});let D=U("button",t.funcs[p.fn][0],"link symbol");D.type="button",D.tabIndex=-1,D.addEventListener("click",()=>o(p.
path));let I=U("div",D);I.append(U("span",[...k(p.fn),...E(p.fn)].join(" · "),"sub"));let K=U("div",C,"tree");return K.
style.setProperty("--above",String(p.path.length-1)),K.append(I),M.append(K),M}function k(h){let[,p,M]=t.funcs[h];return M===
Ee?[$[M],t.files[p]]:[$[M],...p<0?[]:[t.files[p].split("/").slice(-2).join("/")]]}function E(h){return[...new Set((t.marks??
[]).filter(p=>p.fn===h).map(p=>p.id))]}function v(h,p){let M=b.map(([,,K])=>K(p)),C=p.path.slice(0,-1).map(K=>ne(t,K)).reverse(),
D=E(p.fn),I=p.calls?h.ariaExpanded==="true"?"What it calls is open":"Right shows what it calls":"It calls nothing that w\
as counted";return[t.funcs[p.fn][0]+(C.length?", called by "+C.join(", by "):""),[["itself",0],["with what it calls",2]].
map(([K,oe])=>M[oe]+" "+K+", "+M[oe+1]+(f.sides?" against the base":" of all")).join("; "),(te(t,p.fn)?"It is ":"In ")+[
Re[$[t.funcs[p.fn][2]]],...k(p.fn).slice(1)].join(", "),...D.length?["A place of "+D.join(", ")]:[],I].join(". ")+"."}function y(){
return[...e.querySelectorAll("tbody tr")]}function S(h){return h&&e.contains(h)?h.closest("tbody tr"):null}function R(h){
h?.focus()}function F(h){let p=s.get(h),M=!l.delete(p.key);if(M)l.add(p.key),h.after(...B(p));else for(;Number(h.nextElementSibling?.
ariaLevel)>p.path.length;)h.nextElementSibling.remove();h.setAttribute("aria-expanded",String(M)),h.querySelector(".twis\
t").textContent=M?"▾":"▸",S(document.activeElement)===h?n.textContent=v(h,p):e.querySelector('tbody tr[tabindex="0"]')||
(h.tabIndex=0),a(!1)}function O(h){let p=h.previousElementSibling;for(;p&&Number(p.ariaLevel)>=Number(h.ariaLevel);)p=p.
previousElementSibling;return p}function W(h){let p=S(h.target);if(!p||h.ctrlKey||h.metaKey||h.altKey)return;let M=p.ariaExpanded,
C={ArrowDown:()=>R(p.nextElementSibling),ArrowUp:()=>R(p.previousElementSibling),ArrowRight:()=>{M==="true"?R(p.nextElementSibling):
M&&F(p)},ArrowLeft:()=>{M==="true"?F(p):R(O(p))},Home:()=>R(y()[0]),End:()=>R(y().at(-1)),Enter:()=>o(s.get(p).path)}[h.
key];C&&(h.preventDefault(),h.stopPropagation(),C())}function j(h){let p=S(h.target);if(!p)return;for(let C of e.querySelectorAll(
'tbody tr[tabindex="0"]'))C.tabIndex=-1;p.tabIndex=0;let M=v(p,s.get(p));n.textContent!==M&&(n.textContent=M)}e.addEventListener(
"keydown",W),e.addEventListener("focusin",j);function G(){return{sort:i,open:[...l].slice(-Zt).map(h=>h.toString(16)).join(
".")}}function q({sort:h,open:p}){i=h==="cum"?"cum":"flat",l.clear();for(let M of p.split("."))M&&l.add(Number.parseInt(
M,16));m=[]}function _(){let h=s.get(S(document.activeElement));return h?t.funcs[h.fn][0]:""}return{refresh:T,state:G,restore:q,
focusedName:_}}function Q(e,n,t){let r=document.createElement(e);return r.setAttribute("role",n),t&&(r.className=t),r}function tn(e,n){
let t=Oe(e);return n.reduce((r,o,a)=>Be(r,t[o],a+1),0)>>>0}function nn(e){let n=document.querySelector(".stage");X.jump(
...e),n.scrollIntoView({block:"center"}),n.focus({preventScroll:!0})}function wt(e,n){let t=document.getElementById("fun\
ctions");if(!t)return X.start(e,n),[];let r,o=()=>{t.open&&r.refresh()},a=l=>{o(),n(l)};return r=en(document.getElementById(
"function-table"),document.getElementById("row-said"),e,{shown:X.shownFunctions,show:nn,changed:a}),X.start(e,a),t.addEventListener(
"toggle",o),[{write:l=>{let{sort:s,open:i}=r.state();s!=="flat"&&l.set("sort",s),i&&l.set("rows",i)},read:l=>{r.restore(
{sort:l.get("sort"),open:l.get("rows")??""}),o()}}]}document.documentElement.classList.add("js");P.start();xe.start();var xt=JSON.parse(document.getElementById("data").textContent),
rn=wt(xt.flame,he.changed),on=he.start([...xt.flame.graphs?.length?[bt()]:[],...rn,xe.part],xe.follow);yt(on)&&document.
getElementById("profiles")?.scrollIntoView();qe();})();

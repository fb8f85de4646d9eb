// Made of app/report/web/main.ts by `make web`.
"use strict";(()=>{var je=[[1099511627776," TiB",1],[1073741824," GiB",1],[1048576," MiB",1],[1024," KiB",1],[1," B",0]],Ot=[[86400," days",
2],[3600," h",2],[60," min",10],[1," s",1],[.001," ms",1],[1e-6," µs",1],[1e-9," ns",0]],Bt=[[1e12," T",1],[1e9," G",1],
[1e6," M",1],[1e3," k",0]];function Ve(e){return Number(e.toPrecision(3))}function Ge(e){return e.replace(/\.?0+(e|$)/,"\
$1")}function ne(e){if(e<0)return"−"+ne(-e);if(e===0)return"0";if(e<5e-7)return"<0.000001";if(e>=1e15)return Ge(e.toExponential(
2));if(e>=99.95)return e.toFixed(0).replace(/\B(?=(\d{3})+$)/g,",");let n=2-Math.floor(Math.log10(Ve(e))+1e-9),t=e.toFixed(
Math.min(n,6));return t.includes(".")?Ge(t):t}function zt(e){return Math.abs(e)<1?Number(e.toPrecision(2)):Math.round(10*
e)/10}function me(e,n){if(e<0)return"−"+me(-e,n);for(let[t,r,o]of n)if(e>0?Ve(e/t)>=o:t===1)return ne(e/t)+r;return ne(
e)}function be(e){return e<0?"−"+be(-e):Math.round(e)<1e4?ne(e):me(e,Bt)}function Kt(e,n){switch(n){case"bytes":return me(
e,je);case"bytes/s":return me(e,je)+"/s";case"seconds":return me(e,Ot);case"share":return ne(zt(100*e))+" %";case"cores":
return ne(e)==="1"?"1 core":ne(e)+" cores";case"1/s":return be(e)+"/s";case"count":case"":return be(e)}return be(e)+" "+
n}function V(e,n){return e==null||!Number.isFinite(e)?"–":Kt(e,n).replaceAll(" "," ")}function pe(e){return V(e,"coun\
t")}function ee(e){return V(e,"share")}function re(e){let n=e<0?"−":"+",t=Math.round(Math.abs(e));if(t===0)return"0:00";
let r=a=>String(a).padStart(2,"0"),o=Math.floor(t/3600),i=Math.floor(t/60)%60;return n+(o?o+":"+r(i):i)+":"+r(t%60)}var _e=20;function $e(e,n,t){let r=-1,o=-1;e.tabIndex=0,e.setAttribute("role","application"),e.setAttribute("aria-rolede\
scription","time line"),e.setAttribute("aria-label","Time line of all charts. Left and Right move, with Shift they choos\
e a part, Enter zooms to it, Escape resets.");function i(){let[l,c]=t.range(),m=t.times.findIndex(b=>b>=l),f=t.times.findLastIndex(
b=>b<=c);return[Math.max(m,0),f<0?t.times.length-1:f]}function a(l,c){let[m,f]=i(),b=r<0?l:r;r=Math.min(Math.max(l,m),f),
c?o<0&&(o=b):o=r,t.point(t.times[r],t.times[o]);let[E,A]=[Math.min(o,r),Math.max(o,r)].map(S=>re(t.times[S]));n.textContent=
(E===A?"":"From "+E+" to "+A+" is chosen; Enter zooms. ")+"At "+re(t.times[r])+": "+t.values(r)+"."}function s(l){t.zoom(
l),o=r,t.point(r<0?NaN:t.times[r],r<0?NaN:t.times[r]),n.textContent=l?"From "+re(l[0])+" to "+re(l[1])+" is shown. Escap\
e shows all.":"All of it is shown."}e.addEventListener("keydown",l=>{if(l.ctrlKey||l.metaKey||l.altKey)return;let[c,m]=i(),
f=r<0?Math.min(Math.max(t.times.findLastIndex(A=>A<=0),c),m):r,b=A=>()=>a(r<0?f:f+A,l.shiftKey),E={ArrowLeft:b(-1),ArrowRight:b(
1),PageUp:b(-_e),PageDown:b(_e),Home:()=>a(c,l.shiftKey),End:()=>a(m,l.shiftKey),Enter:()=>{o>=0&&o!==r&&s([t.times[Math.
min(o,r)],t.times[Math.max(o,r)]])},Escape:()=>{r=-1,s(null)}}[l.key];E&&(l.preventDefault(),E())})}var F=(()=>{let e=document.documentElement,n=matchMedia("(prefers-color-scheme: dark)"),t=[],r=document.createElement("s\
pan");r.hidden=!0,document.body.append(r);let o="",i=!1,a=()=>!i&&(o?o==="dark":n.matches);function s(){e.style.colorScheme=
i?"light":o;let f=document.getElementById("theme");f.textContent=a()?"Light":"Dark";for(let b of t)b()}function l(){document.
getElementById("theme").addEventListener("click",()=>{o=a()?"light":"dark",s()}),n.addEventListener("change",s),addEventListener(
"beforeprint",()=>{i=!0,s()}),addEventListener("afterprint",()=>{i=!1,s()}),s()}function c(f){return r.style.color="var(\
--"+f+")",getComputedStyle(r).color}function m(f){return getComputedStyle(e).getPropertyValue("--"+f).trim()}return{start:l,
color:c,font:m,onChange:f=>t.push(f)}})();var ie=(()=>{let t=Array.from({length:50},(y,x)=>2**x),r=[1,2,5,10,15,30,60,120,300,600,900,1800,3600,7200,14400,43200,86400],
o=3,i=[[],[6,3],[1.5,3]],a=[],s=[],l=null,c=()=>{};function m(y,x){return y===0?"0":V(y,x).replace(/\/s$|\u00a0cores?$/,
"")}function f(y){let T={font:"11px "+F.font("sans"),stroke:()=>F.color("muted"),grid:{stroke:()=>F.color("line"),width:1},
ticks:{show:!1}};return[{...T,incrs:r,space:56,size:22,gap:4,values:(M,k)=>k.map(re)},{...T,size:58,gap:6,space:26,...y.
startsWith("bytes")?{incrs:t}:{},values:(M,k)=>k.map(H=>m(H,y))}]}function b(y,x){let{ctx:T}=y,M=devicePixelRatio,{left:k,
top:H,width:j,height:N}=y.bbox,p=[],h=w=>w.names.size===1?[...w.names][0]:[...w.names][0]+" +"+(w.names.size-1);T.save(),
T.font=10*M+"px "+F.font("sans"),T.textBaseline="bottom",T.textAlign="left";for(let w of x){let C=y.valToPos(w.from,"x",
!0),P=Math.max(y.valToPos(w.to,"x",!0),C+1.5*M);if(P<k||C>k+j)continue;let D=Math.max(C,k),z=Math.min(P,k+j);w.start?E(T,
D,H,N):(T.fillStyle=w.to>w.from?F.color("span"):F.color("line-strong"),T.fillRect(D,H,z-D,N));let $=p[p.length-1],J=w.start?
[w.label]:w.label.split(", ");$&&D<$.x+T.measureText(h($)+" +9").width+6*M?J.forEach(Se=>$.names.add(Se)):p.push({x:D,names:new Set(
J)})}T.fillStyle=F.color("muted");for(let w of p){let C=Math.max(k,Math.min(w.x,k+j-T.measureText(h(w)).width));T.fillText(
h(w),C,H-2*M)}T.restore()}function E(y,x,T,M){let k=devicePixelRatio;y.fillStyle=F.color("text");for(let H=T;H<T+M;H+=7*
k)y.fillRect(x,H,Math.max(k,1.5),Math.min(4*k,T+M-H))}function A(y,x){let T=devicePixelRatio,{left:M,top:k,width:H,height:j}=y.
bbox;y.ctx.fillStyle=F.color("muted");for(let N of x){let p=Math.max(y.valToPos(N.from,"x",!0),M),h=Math.min(y.valToPos(
N.to,"x",!0),M+H);h>M&&p<M+H&&y.ctx.fillRect(p,k+j-4*T,Math.max(h-p-(h-p>4*T?T:0),T),4*T)}}function S(y){let x=Math.round(
y.valToPos(0,"x",!0)),{left:T,top:M,width:k,height:H}=y.bbox;x<T||x>T+k||(y.ctx.fillStyle=F.color("trip"),y.ctx.fillRect(
x,M,Math.max(devicePixelRatio,1.5),H))}function v(y,x,T,M){let k=y.querySelectorAll(".sig b"),H=x.t.findLastIndex(j=>j<=
0);return H<0&&(H=0),j=>{let N=j.cursor.idx??H;T.forEach((p,h)=>{k[h].textContent=V(p.v[N],M)})}}function K(y,x){return y===
x||!!y&&!!x&&y.every((T,M)=>Math.abs(T-x[M])<=1e-6*(x[1]-x[0]))}function O(y,x){let{min:T,max:M}=y.scales.x;if(x!=="x"||
T==null||M==null)return;let k=T<=s[0]&&M>=s.at(-1)?null:[T,M];K(k,l)||(R(k),c())}function R(y){l=y;for(let{u:x}of a)G(x)}
function G(y){let[x,T]=l??[s[0],s.at(-1)];y.setScale("x",{min:x,max:T})}function Y(y,x){let T=x.charts[Number(y.dataset.
chart)],M=y.querySelector(".plot"),k=v(y,x,T.series,T.unit),H=new uPlot({width:M.clientWidth,height:140,padding:[14,20,0,
0],legend:{show:!1},cursor:{sync:{key:"vitals",filters:{pub:N=>N.startsWith("mousemove")||N==="mouseleave"}},y:!1,points:{
size:5},drag:{x:!0,y:!1}},scales:{x:{time:!1},y:{range:(N,p,h)=>[Math.min(p??0,0),h>0?h*1.12:1]}},axes:f(T.unit),series:[
{},...T.series.map((N,p)=>({label:N.name,stroke:()=>F.color("s"+Math.min(p,2)),width:1.5,points:{show:!1},spanGaps:!0,dash:i[Math.
min(p,2)]}))],hooks:{drawClear:[N=>b(N,x.spans??[])],draw:[N=>A(N,x.gc??[]),S],setCursor:[k],setScale:[O]}},[x.t,...T.series.
map(N=>N.v)],M);k(H);let j=()=>[...y.querySelectorAll(".sig")].map(N=>N.textContent.trim()).join(", ");a.push({u:H,box:M,
spoken:j}),l&&G(H),a.length===1&&B(M)}function B(y){$e(y,document.getElementById("moment"),{times:s.map(Number),zoom:x=>{
R(x),c()},range:()=>l??[s[0],s.at(-1)],values:()=>a.map(x=>x.spoken()).slice(0,o).join(", "),point:(x,T)=>{for(let{u:M}of a){
let k=M.valToPos(x,"x",!1),H=M.valToPos(T,"x",!1);M.setCursor({left:Number.isFinite(k)?k:-10,top:10},!0,!1),M.setSelect(
{left:Math.min(k,H),top:0,width:Math.abs(k-H)||0,height:M.over.clientHeight},!1)}}})}function W(y){if(!y.charts?.length)
return;s=y.t;let x=new Set(document.querySelectorAll("[data-chart]")),T=new ResizeObserver(()=>{for(let M of x)M.clientWidth>
0&&(x.delete(M),Y(M,y));for(let{u:M,box:k}of a)k.clientWidth>0&&k.clientWidth!==M.width&&M.setSize({width:k.clientWidth,
height:140})});document.querySelectorAll(".charts").forEach(M=>T.observe(M)),F.onChange(()=>a.forEach(({u:M})=>M.redraw(
!1,!0)))}return{start:W,show:R,range:()=>l,onChange:y=>{c=y}}})();var Ye={write:e=>{let n=ie.range();n&&["from","to"].forEach((t,r)=>e.set(t,String(Math.round(n[r]*1e3)/1e3)))},read:e=>{
let[n,t]=["from","to"].map(r=>Number(e.get(r))||0);ie.show(e.has("from")&&n<t?[n,t]:null)}};function Xe(){for(let e of document.querySelectorAll("[data-copy]"))e.addEventListener("click",async()=>{let n=document.
getElementById(e.dataset.copy);try{await navigator.clipboard.writeText(n.textContent),e.textContent="Copied"}catch{getSelection().
selectAllChildren(n),e.textContent="Selected"}})}var X=["user","dependency","std","runtime","label"],Me=X.indexOf("label"),Le="↳ ",q=19,Je=.5,he=4;function qt(){return{
owner:X.map(e=>F.color("f-"+e)),text:F.color("f-text"),rest:F.color("f-rest"),match:F.color("f-match"),mark:F.color("f-m\
ark"),markText:F.color("f-mark-text"),more:[1,2,3].map(e=>F.color("f-more"+e)),less:[1,2,3].map(e=>F.color("f-less"+e)),
none:F.color("f-none"),ground:F.color("raised"),focus:F.color("text"),muted:F.color("muted")}}function Ae(e){let n=e.search(
/[[(]/);return e.slice(e.lastIndexOf("/",n<0?e.length:n)+1)}function oe(e,n){return n>=0&&e.funcs[n][2]===Me}function se(e,n){
return oe(e,n)?e.funcs[n][0]:Ae(e.funcs[n][0])}function Ut(e,n,t){let r=e.depth[n];for(let o=n;o<e.end[n];){if(e.total[o]*
t<Je){o=e.end[o];continue}e.depth[o]>r&&(r=e.depth[o]),o++}return r+1}function Ze(e,n){let t=e.map(({tree:o,zoom:i})=>Ut(
o,i,o.total[i]>0?n/o.total[i]:0));if(e.length===1)return Math.max(t[0],3);let r=t[1]-1;for(let o of e)o.base=r*q;return Math.
max(r+t[0],3)}function ve(e,n,t,r){let o=Math.floor((r+n.top-e[0].base)/q),i=o<0?1:0,{tree:a,zoom:s}=e[i],l=Math.abs(o);
if(l<a.depth[s]){let m=s;for(;m>=0&&a.depth[m]>l;)m=a.parent[m];return[i,m]}let c=a.x[s]+t/n.width*a.total[s];for(let m=s;m<
a.end[s];){if(c<a.x[m]||c>=a.x[m]+a.total[m]){m=a.end[m];continue}if(a.depth[m]===l)return[i,m];m++}return[i,-1]}function et(e,n,t){
let{tree:r,zoom:o,width:i,height:a,top:s,base:l,dir:c,from:m}=n,f=qt(),b=r.total[o]>0?i/r.total[o]:0,E=new Float64Array(
4096).fill(-1);e.font="11.5px "+F.font("mono"),e.textBaseline="middle";let A=e.measureText("m").width,S={ctx:e,c:f,glyph:A,
view:n,data:t,t:r};for(let v=r.parent[o];v>=0;v=r.parent[v])Qe(S,v,0,r.depth[v]*q-s,i,!0);for(let v=o;v<r.end[o];){let K=l+
c*r.depth[v]*q-s,O=r.total[v]*b;if((c>0?K>a:K<-q)||O===0){v=r.end[v];continue}if(r.depth[v]<m){v++;continue}let R=(r.x[v]-
r.x[o])*b;if(O<Je){let G=Math.floor(R);K>-q&&K<a&&E[r.depth[v]]<G&&(e.fillStyle=f.rest,e.fillRect(G,K,1,q-1),E[r.depth[v]]=
G),v=r.end[v];continue}K>-q&&K<a&&Qe(S,v,R,K,O,!1),v++}}function Wt(e,n,t,r){if(!n.change)return r<0?e.rest:e.owner[r];let o=tt(
n.change[t]);return o>0?e.more[o-1]:o<0?e.less[-o-1]:e.none}function Qe({ctx:e,c:n,glyph:t,view:r,data:o,t:i},a,s,l,c,m){
let f=i.fn[a],b=f<0?-1:o.funcs[f][2],E=r.match&&f>=0&&r.match.has(f),A=m||r.match&&!E;e.globalAlpha=A?.4:i.change?1:[1,.86,
.93][f<0?0:f%3],e.fillStyle=E?n.match:Wt(n,i,a,b);let S=c>3?1:0;e.fillRect(s,l,c-S,q-1),E&&(e.fillStyle=n.text,e.fillRect(
s,l+q-3,c-S,2)),e.globalAlpha=m?.75:1;let v=s+he,K=f<0?void 0:r.marks.get(f);K&&(v=jt(e,n,K,s,l,c-S,t));let O=i.change?nt(
i.change[a]):"",R=i.line[a]<0?Le:"";Gt(e,O+R+(f<0?"all":se(o,f)),n.text,v,l,s+c-he,t),e.globalAlpha=1,(a===r.selected||a===
r.hover)&&(e.strokeStyle=n.focus,e.lineWidth=a===r.selected?2:1,e.strokeRect(s+1,l+1,Math.max(c-S-2,1),q-3))}function jt(e,n,t,r,o,i,a){
if(e.fillStyle=n.mark,i<5)return e.fillRect(r,o,i,q-1),r+he;e.strokeStyle=n.mark,e.lineWidth=2,e.strokeRect(r+1,o+1,i-2,
q-3);let s=t.join(" "),l=s.length*a+8;return l>i?r+he:(e.fillRect(r,o,l,q-1),e.fillStyle=n.markText,e.fillText(s,r+4,o+q/
2),r+l+he)}function Gt(e,n,t,r,o,i,a){let s=Math.floor((i-Math.max(r,0))/a);s<2||(e.fillStyle=t,e.fillText(n.length<=s?n:
n.slice(0,s-1)+"…",Math.max(r,0),o+q/2))}function ye(e,n){let t=(e.fn??[]).length+1,r={n:t,graph:e,funcs:n,fn:new Int32Array(t),line:new Int32Array(t),depth:new Int32Array(
t),parent:new Int32Array(t),end:new Int32Array(t),self:new Float64Array(t),total:new Float64Array(t),x:new Float64Array(
t)};r.fn[0]=-1,r.parent[0]=-1;for(let o=1;o<t;o++){r.fn[o]=e.fn[o-1],r.line[o]=e.line[o-1];let i=o-1;for(let a=e.up[o-1];a>
0;a--)i=r.parent[i];r.parent[o]=i,r.depth[o]=r.depth[i]+1}return Ce(r),r}function Ce(e){for(let n=e.n-1;n>=0;n--)e.end[n]=
Math.max(e.end[n],n+1),n>0&&(e.end[e.parent[n]]=Math.max(e.end[e.parent[n]],e.end[n]))}function ke(e,n){let{self:t,total:r,
x:o,parent:i,n:a}=e;t.set(e.graph.self[n]),r.set(e.graph.self[n]);for(let[l,c]of e.graph.cut[n])r[l]+=c;for(let l=a-1;l>
0;l--)r[i[l]]+=r[l];let s=new Float64Array(a);for(let l=1;l<a;l++){let c=i[l];o[l]=o[c]+s[c],s[c]+=r[l]}e.type=e.graph.types[n],
e.whole=e.graph.wholes?.[n],e.graph.diff&&!e.change&&st(e)}function rt(e,n){let t=0,r=0,o=0;for(let i=1;i<e.n;i++)n(e.fn[i])&&
(e.total[i]>0&&t++,i>=o&&(r+=e.total[i],o=e.end[i]));return{frames:t,sum:r}}function ot(e,n){let t=n.length-1,r=-1;for(let o=1;o<
e.n;o++){if(e.fn[o]!==n[t]||r>=0&&e.total[o]<=e.total[r])continue;let i=t;for(let a=e.parent[o];i>0&&a>0&&e.fn[a]===n[i-
1];a=e.parent[a])i--;i===0&&(r=o)}return r}function de(e,n,t){let r=e.parent[n];if(r<0)return n;let o=n,i=!1;for(let a=r+
1;a<e.end[r];a=e.end[a])if(e.total[a]!==0){if(t>0&&i)return a;if(a===n){if(t<0)return o;i=!0}o=a}return n}function we(e,n){
let t=n;for(let r=n+1;r<e.end[n];r=e.end[r])e.total[r]>0&&(t===n||e.total[r]>e.total[t])&&(t=r);return t}function le({tree:e},n,t){return e.fn[t]<0?"all":n.funcs[e.fn[t]][0]}function Vt({tree:e},n,t){let r=e.fn[t]<0?-1:n.funcs[e.
fn[t]][1];return r<0?"":n.files[r]+(e.line[t]?":"+Math.abs(e.line[t]):"")}function ae({tree:e},n){return V(n*e.type.scale,
e.type.unit)}function Q({tree:e},n){let t=e.whole??e.total[0];return ee(t?n/t:0)}function Re(e,n,t){let[r,o]=e.links?.[e.
funcs[n]?.[1]]??[-1,""];return r<0?"":e.folders[r]+o.replace("{}",String(Math.max(t,1)))}function He(e,n){let t=document.
createElement("a");return t.href=e,t.rel="noopener noreferrer",t.textContent=n,t}var Pe={user:"your code",dependency:"a \
dependency",std:"the standard library",runtime:"the runtime",label:"the value of a label"};function at(e,n,t){let r=e.tree.
fn[t],o=e.tree.line[t]<0?"inlined":"";return r<0?"":[Pe[X[n.funcs[r][2]]],Vt(e,n,t),o].filter(Boolean).join(" · ")}function Fe(e,n,t){
let r=e.tree,o=r.change?[le(e,n,t),at(e,n,t),...Ie(r,t)]:[le(e,n,t),at(e,n,t),ae(e,r.total[t])+" total, "+Q(e,r.total[t])+
" · "+ae(e,r.self[t])+" self, "+Q(e,r.self[t])],i=r.parent[t];i>0&&r.total[i]>0&&o.push(ee(r.total[t]/r.total[i])+" of "+
se(n,r.fn[i]));let a=(n.marks??[]).filter(s=>s.fn===r.fn[t]);return{lines:o,findings:[...new Set(a.map(s=>s.id+": "+n.findings[s.
finding]))]}}function De(e,n,t=0,r=0){if(e.hidden=!n,!n)return;let{lines:o,findings:i}=n;e.replaceChildren(...[...o,...i].
map((s,l)=>{let c=document.createElement("div");return c.textContent=s,l>=o.length&&(c.className="finding-line"),c}));let a=e.
getBoundingClientRect();e.style.left=Math.max(8,Math.min(t+14,innerWidth-a.width-8))+"px",e.style.top=(r+18+a.height>innerHeight?
Math.max(8,r-a.height-12):r+18)+"px"}function it(e,n){let t=e.tree,r=[],{match:o}=e;if(o){let i=rt(t,a=>o.has(a));r.push(
i.frames?["Found ",Q(e,i.sum)," ("+ae(e,i.sum)+") in "+pe(i.frames)+" frames"]:["Found ","nothing",""])}if(e.selected>=0){
let i=Fe(e,n,e.selected);r.push(["",i.lines[0]," "+[...i.lines.slice(1,t.change?4:3),...i.findings].filter(Boolean).join(
" · "),Re(n,t.fn[e.selected],Math.abs(t.line[e.selected]))])}else if(!e.match){let i=e.zoom?" in "+le(e,n,e.zoom):"";t.
change?r.push(["",le(e,n,e.zoom),": "+Ie(t,e.zoom).join(" · ")]):r.push(["",ae(e,t.total[e.zoom]),(t.whole?" ("+Q(e,t.total[e.
zoom])+")":"")+" of "+t.type.name+i+", "+pe(t.n-1)+" frames"])}return r.map(([i,a,s,l])=>{let c=document.createElement("\
span"),m=document.createElement("b");return m.textContent=a,c.append(i,m,s),l&&c.append(" · ",He(l,"source")),c})}function lt(e,n){
let t=document.createElement("button");return t.type="button",t.setAttribute("role","tab"),t.textContent=e,t.addEventListener(
"click",n),t}function te(e,n){let t=document.createElement("span"),r=document.createElement("span");return r.className="\
key "+e,t.append(r,n),t}function ct(e,n){let t=e.tree;if(t.change)return ft();let r={user:"your code",dependency:"depend\
encies",std:"standard library",runtime:"runtime"},o=new Float64Array(X.length);for(let a=1;a<t.n;a++){let s=a;for(;oe(n,
t.fn[s])&&t.parent[s]>0;)s=t.parent[s];oe(n,t.fn[s])||(o[n.funcs[t.fn[s]][2]]+=t.self[a])}let i=X.flatMap((a,s)=>o[s]>0?
[te(a,r[a]+" "+Q(e,o[s]))]:[]);return t.fn.some(a=>oe(n,a))&&i.push(te("label","value of a label")),t.line.some(a=>a<0)&&
i.push(te("inlined",Le+"inlined by the compiler")),t.fn.some(a=>e.marks.has(a))&&i.push(te("mark","frame of a finding")),
i}function ut(e,n,t){let r=new Set(e.tree.fn),o=new Map;for(let i of n.marks??[]){if(!r.has(i.fn))continue;let a=o.get(i.
finding)??{id:i.id,fns:new Set};a.fns.add(i.fn),o.set(i.finding,a)}return[...o].sort(([i],[a])=>i-a).map(([i,{id:a,fns:s}])=>{
let l=document.createElement("div"),c=document.createElement("a");return l.setAttribute("role","group"),l.setAttribute("\
aria-label",a+": "+n.findings[i]),c.href=(n.page??"")+"#finding-"+i,c.title=n.findings[i],c.textContent=a,l.append(c,...[
...s].map(m=>{let f=document.createElement("button");return f.type="button",f.title=n.funcs[m][0],f.textContent=Ae(n.funcs[m][0]),
f.addEventListener("click",()=>t(m)),f})),l})}var _t=[0,.01,.05];function st(e){let n=t=>{let r=Float64Array.from(e.graph.self[t]);for(let[o,i]of e.graph.cut[t])r[o]+=
i;for(let o=e.n-1;o>0;o--)r[e.parent[o]]+=r[o];return r};e.sides=[n(0),n(1)],e.wholes=e.graph.wholes??[e.sides[0][0],e.sides[1][0]],
Ne(e)}function Ne(e){e.change=new Float64Array(e.n);let[n,t]=[e.sides,e.wholes],{diff:r,types:o}=e.graph,i=t[1]*o[1].scale;
for(let a=0;a<e.n;a++){let s=n[0][a]*o[0].scale-n[1][a]*o[1].scale,l=0;for(let c of[0,1])l+=r.sample[c]*n[c][a]*(1-n[c][a]/
t[c])*o[c].scale**2;Math.abs(s)>Math.max(2*Math.sqrt(Math.max(l,0)),r.noise*i)&&(e.change[a]=s/i)}}function tt(e){let n=0;
for(let t of _t)Math.abs(e)>t&&n++;return Math.sign(e)*n}function $t(e){return(e>0?"+":"−")+ee(Math.abs(e))}function nt(e){
return e===0?"":(e>0?"▲":"▼")+ee(Math.abs(e)).replace(" ","")+" "}function Ie(e,n){let{types:t}=e.graph,r=e.sides[1][n]*
t[1].scale,o=e.sides[0][n]*t[0].scale,i=t[0].unit,a=o-r,s=e.wholes[1]*t[1].scale;return[V(r,i)+" "+t[1].name+", "+V(o,i)+
" "+t[0].name,e.change[n]===0?"no change beyond sampling error and noise":(a>0?"+":"")+V(a,i)+", "+$t(a/s)+" of total "+
t[1].name]}function ft(){let e=["below 1 %","1 to 5 %","above 5 %"];return[...e.map((n,t)=>te("more"+(t+1),"▲ more, "+
n)),...e.map((n,t)=>te("less"+(t+1),"▼ less, "+n)),te("none","no change beyond sampling error and noise")]}function xe(e,n){return e.sides?e.sides.some(t=>t[n]>0):e.total[n]>0}function Yt(e){let n=new Set;for(let t=1;t<e.n;t++)
e.parent[t]>0&&xe(e,t)&&n.add(e.fn[e.parent[t]]);return n}function pt(e){let{types:n}=e.graph,t=s=>{let{self:l,total:c}=ce(
e.sides?{...e,self:e.graph.self[s],total:e.sides[s]}:e),m=e.sides?n[s].scale:e.type.scale;return{flat:l.map(f=>f*m),cum:c.
map(f=>f*m)}},r=Yt(e),o=t(0),i=e.sides?t(1):null,a=[];return o.cum.forEach((s,l)=>{let c={fn:l,path:[l],calls:r.has(l),flat:o.
flat[l],cum:s};i&&Object.assign(c,{flatChange:c.flat-i.flat[l],cumChange:s-i.cum[l]}),(s>0||i&&i.cum[l]>0)&&a.push(c)}),
a}function mt(e,n){let t=[];for(let r=n+1;r<e.end[n];r=e.end[r])xe(e,r)&&t.push(r);return t}function ht(e,n){let t=n.tree??
ge(e,n.fn),{types:r}=t.graph;return mt(t,n.node??0).map(o=>{let i=l=>({flat:t.selves[l][o]*r[l].scale,cum:t.sides[l][o]*
r[l].scale}),a=t.sides?i(0):{flat:t.self[o]*t.type.scale,cum:t.total[o]*t.type.scale};if(t.sides){let l=i(1);Object.assign(
a,{flatChange:a.flat-l.flat,cumChange:a.cum-l.cum})}let s=t.fn[o];return{...a,fn:s,path:[...n.path,s],tree:t,node:o,calls:mt(
t,o).length>0}})}function Oe(e,n){let t=n==="flat"?"cum":"flat",r=(o,i)=>Math.abs(o[`${i}Change`]??o[i]);return e.sort((o,i)=>r(
i,n)-r(o,n)||r(i,t)-r(o,t)||o.fn-i.fn)}function Xt(e,n){return e===0?"0":(e>0?"+":"")+V(e,n)}function dt(e){let{unit:n}=e.
sides?e.graph.types[0]:e.type,t=(e.whole??e.total[0])*e.type.scale;return["flat","cum"].flatMap(r=>[[r,r==="flat"?"Flat":
"Cum",o=>V(o[r],n)],e.sides?["","change",o=>Xt(o[`${r}Change`],n)]:["","share",o=>ee(t?o[r]/t:0)]])}function Ee(e,n){let t=[];for(let r=1;r<e.n;){if(e.fn[r]!==n){r++;continue}xe(e,r)&&t.push(r),r=e.end[r]}return t}function gt(e,n){
let t=e.sides??[],r={parent:[-1],fn:[n],self:[0],total:[0],line:[0],most:[0],sides:t.map(()=>[0]),selves:t.map(()=>[0])},
o=new Map,i=e.funcs;function a(l,c){let m=l*i+c,f=o.get(m);if(f===void 0){f=r.fn.length,o.set(m,f),r.parent.push(l),r.fn.
push(c),r.self.push(0),r.total.push(0),r.line.push(0),r.most.push(0);for(let b of[...r.sides,...r.selves])b.push(0)}return f}
function s(l,c,m=c){r.total[l]+=e.total[c],e.total[m]>r.most[l]&&(r.most[l]=e.total[m],r.line[l]=e.line[m]),r.sides.forEach(
(f,b)=>{f[l]+=t[b][c]})}return{nodes:r,step:a,add:s}}function ge(e,n){let{nodes:t,step:r,add:o}=gt(e,n),i=[0];for(let a of Ee(
e,n))for(let s=a;s<e.end[a];s++){let l=e.depth[s]-e.depth[a];l>0&&(i[l]=r(i[l-1],e.fn[s])),o(i[l],s),t.self[i[l]]+=e.self[s],
t.selves.forEach((c,m)=>{c[i[l]]+=e.graph.self[m][s]})}return yt(e,t)}function bt(e,n){let{nodes:t,step:r,add:o}=gt(e,n);
for(let i of Ee(e,n)){let a=0;o(0,i);for(let s=e.parent[i];s>0;s=e.parent[s])a=r(a,e.fn[s]),o(a,i,s)}return yt(e,t)}function yt(e,n){
let t=n.fn.length,r=Array.from({length:t},()=>[]);for(let s=1;s<t;s++)r[n.parent[s]].push(s);let o={n:t,graph:e.graph,type:e.
type,whole:e.whole??e.total[0],funcs:e.funcs,fn:new Int32Array(t),line:new Int32Array(t),depth:new Int32Array(t),parent:new Int32Array(
t),end:new Int32Array(t),self:new Float64Array(t),total:new Float64Array(t),x:new Float64Array(t)};e.sides&&(o.sides=e.sides.
map(()=>new Float64Array(t)),o.selves=e.sides.map(()=>new Float64Array(t)),o.wholes=e.wholes);let i=[[0,-1,0,0]],a=0;for(;i.
length;){let[s,l,c,m]=i.pop(),f=a++;o.fn[f]=n.fn[s],o.parent[f]=l,o.depth[f]=c,o.x[f]=m,o.self[f]=n.self[s],o.total[f]=n.
total[s],o.line[f]=n.line[s],o.sides?.forEach((A,S)=>{A[f]=n.sides[S][s]}),o.selves?.forEach((A,S)=>{A[f]=n.selves[S][s]});
let b=r[s].sort((A,S)=>n.total[S]-n.total[A]||n.fn[A]-n.fn[S]),E=m;for(let A of b)E+=n.total[A];for(let A of b.reverse())
E-=n.total[A],i.push([A,f,c+1,E])}return Ce(o),o.sides&&Ne(o),o}function ce(e){let n=new Float64Array(e.funcs),t=new Float64Array(
e.funcs),r=new Int32Array(e.funcs),o=[];for(let i=1;i<e.n;i++){for(;o.length>=e.depth[i];)r[o.pop()]--;let a=e.fn[i];n[a]+=
e.self[i],r[a]===0&&(t[a]+=e.total[i]),r[a]++,o.push(a)}return{self:n,total:t}}function Be(e,n=e.keys()){let t=-1;for(let r of n)
e[r]>(t<0?0:e[t])&&(t=r);return t}function wt(e,n){let t=n.toLowerCase().split("|").map(a=>a.trim()).filter(Boolean);if(!t.length)return null;let r=a=>t.some(
s=>a.includes(s)),o=(e.files??[]).map(a=>r(a.toLowerCase())),i=new Set;return e.funcs.forEach(([a,s],l)=>{(r(a.toLowerCase())||
o[s])&&i.add(l)}),i}function Qt(e,n){let t=new Uint8Array(e.n);for(let r=1;r<e.n;r++)t[r]=t[e.parent[r]]||n.has(e.fn[r])?
1:0;return t}function xt(e,{focus:n,ignore:t,from:r}){let[o,i,a]=[n,t,r].map(m=>m&&Qt(e,m)),s=m=>(!o||o[m])&&!(i&&i[m])&&
(!a||a[m]),l=(m,f)=>m.reduce((b,E)=>b+E,0)+e.graph.cut[f].reduce((b,[,E])=>b+E,0),c={...e.graph,wholes:e.graph.self.map(
l),lines:{fn:[],line:[],self:[],total:[]},self:e.graph.self.map(m=>m.map((f,b)=>s(b)?f:0)),cut:e.graph.cut.map(m=>m.filter(
([f])=>s(f)))};return ye(a?Jt(e,c,a):c,e.funcs)}function Jt(e,n,t){let r=[{depth:0,children:new Map}],o=new Int32Array(e.
n);for(let s=1;s<e.n;s++){if(!t[s])continue;let l=r[o[e.parent[s]]];l.children.has(e.fn[s])||(l.children.set(e.fn[s],r.length),
r.push({fn:e.fn[s],line:e.line[s],depth:l.depth+1,children:new Map})),o[s]=l.children.get(e.fn[s])}let i=s=>{let l=new Array(
r.length).fill(0);return s.forEach((c,m)=>{l[o[m]]+=c}),l},a=n.cut.map(s=>s.map(([l,c])=>[o[l],c]));return Zt({...n,self:n.
self.map(i),cut:a},r)}function Zt(e,n){let t=[...e.self[e.default]];for(let[s,l]of e.cut[e.default])t[s]+=l;for(let s=n.
length-1;s>=0;s--)for(let l of n[s].children.values())t[s]+=t[l];let r=[],o=[0];for(;o.length;){let s=o.pop();r.push(s);
for(let l of[...n[s].children.values()].sort((c,m)=>t[c]-t[m]))o.push(l)}let i=new Int32Array(n.length);r.forEach((s,l)=>{
i[s]=l});let a=r.slice(1);return{...e,fn:a.map(s=>n[s].fn),line:a.map(s=>n[s].line),up:a.map((s,l)=>n[r[l]].depth+1-n[s].
depth),self:e.self.map(s=>r.map(l=>s[l])),cut:e.cut.map(s=>s.map(([l,c])=>[i[l],c]))}}function ze(e,n){if(e.hashes)return e.
hashes;let t=Ke(n);e.hashes=new Uint32Array(e.n);for(let r=1;r<e.n;r++)e.hashes[r]=qe(e.hashes[e.parent[r]],t[e.fn[r]],e.
depth[r]);return e.hashes}function Ke(e){return e.hashes??=e.funcs.map(([n])=>{let t=2166136261;for(let r=0;r<n.length;r++)
t=Math.imul(t^n.charCodeAt(r),16777619);return t}),e.hashes}function qe(e,n,t){return Math.imul(e^e>>>15^n,739982445)+t}
function Ue(e,n,t){return t?Math.max(ze(e,n).indexOf(t),0):0}function en(e,n,t){let r=e.graph.lines,o=[];if(r.fn?.forEach((s,l)=>{s===t&&o.push({line:r.line[l],self:r.self[n][l],total:r.
total[n][l]})}),o.length)return{rows:o,exact:!0};let i=new Map,a=s=>(i.has(s)||i.set(s,{line:s,self:0,total:0}),i.get(s));
for(let s of Ee(e,t))a(e.line[s]).total+=e.total[s];for(let s=1;s<e.n;s++)e.fn[s]===t&&(a(e.line[s]).self+=e.self[s]);return{
rows:[...i.values()].sort((s,l)=>s.line-l.line),exact:!1}}function U(e,n,t){let r=document.createElement(e);return r.append(
n),t&&(r.className=t),r}function tn(e){let n="http://www.w3.org/2000/svg",t=document.createElementNS(n,"svg");t.setAttribute(
"class","share"),t.setAttribute("viewBox","0 0 100 6"),t.setAttribute("preserveAspectRatio","none"),t.setAttribute("aria\
-hidden","true");for(let[r,o]of[["track",100],["fill",Math.min(100*e,100)]]){let i=document.createElementNS(n,"rect");i.
setAttribute("class",r),i.setAttribute("width",String(o)),i.setAttribute("height","6"),t.append(i)}return t}function Et(e,n,t,r){
let o=e.tree,{rows:i,exact:a}=en(o,t,r),s=document.createElement("table"),l=document.createElement("tr");for(let[b,E]of[
["Line","num"],["Self","num"],["Share","num"],["With callees","num"],["Share","num"],["",""]]){let A=U(b?"th":"td",b,E);
b&&(A.scope="col"),l.append(A)}let c=document.createElement("tbody"),m=o.whole??o.total[0];for(let b of i){let E=document.
createElement("tr"),A=Re(n,r,b.line),S=U("th",A?He(A,String(b.line)):b.line?String(b.line):"–","num");S.scope="row",E.
append(S,U("td",ae(e,b.self),"num"),U("td",Q(e,b.self),"num"),U("td",ae(e,b.total),"num"),U("td",Q(e,b.total),"num"),U("\
td",tn(m?b.total/m:0),"barcell")),c.append(E)}if(s.append(U("thead",l),c),a)return[s];let f=U("p","The page has every li\
ne only for the heaviest functions. In this function, each frame counts at its heaviest line.","note");return[s,f]}var _=(()=>{let e={width:0,height:0,top:0,match:null,marks:new Map},n=[],t=[],r=[],o,i,a,s,l,c,m,f=0,b=0,E="graph",A=-1,
S=[],v=0,K=null,O=()=>{};function R(u){return i.querySelector(u)}function G(u,d={}){return{tree:u,zoom:0,base:0,dir:1,from:0,
hover:-1,selected:-1,...d}}function Y(u=v){return{...e,...S[u]}}function B(){performance.clearMeasures("flame");let u=performance.
now();if(e.width=a.clientWidth,!e.width)return;let d=Ze(S,e.width)*q,g=parseFloat(getComputedStyle(a).maxHeight)||d;e.height=
Math.min(d,g),R(".spacer").style.height=d-e.height+"px",e.top=Math.min(a.scrollTop,d-e.height);let L=devicePixelRatio||1,
[I,fe]=[Math.round(e.width*L),Math.round(e.height*L)];(s.width!==I||s.height!==fe)&&(s.width=I,s.height=fe,s.style.width=
e.width+"px",s.style.height=e.height+"px"),l.setTransform(L,0,0,L,0,0),l.clearRect(0,0,e.width,e.height),S.forEach((cn,Nt)=>et(
l,Y(Nt),o)),performance.measure("flame",{start:u,end:performance.now()})}function W(){m.replaceChildren(...it(Y(),o)),E===
"lines"&&A>=0&&R(".lines").replaceChildren(...Et(C(),o,b,A))}function y(u){S[0].zoom=u,B(),W(),O(!0)}function x(u,d){for(let I of S)
I.selected=-1;v=u;let g=S[u];g.selected=d;let L=g.base+g.dir*g.tree.depth[d]*q;(L<a.scrollTop||L+q>a.scrollTop+e.height)&&
(a.scrollTop=L-e.height/2),B(),W(),O(!1)}function T(u){e.match=wt(o,u),E!=="graph"&&w(),B(),W(),O(!1)}function M(){for(let u of S)
u.selected=-1;S[0].zoom=0,v=0,R("input").value="",a.scrollTop=0,O(!0),T("")}function k(u){b=u;let d=n[f];if(ke(d,u),E===
"graph"){let g=S[0];for(;g.zoom>0&&d.total[g.zoom]===0;)g.zoom=d.parent[g.zoom]}else p(A);R(".types select").value=String(
u),R(".legend").replaceChildren(...ct({...e,tree:d},o)),B(),W(),O(!0)}function H(u){f=u;let d=o.graphs[u];t[u]??=ye(d,o.
funcs.length),n[u]??=K?xt(t[u],K):t[u],r.length=0,S=[G(n[u])],v=0,a.scrollTop=0,i.querySelectorAll(".tabs button").forEach(
(L,I)=>{L.setAttribute("aria-selected",String(I===u)),L.tabIndex=I===u?0:-1}),R(".types select").replaceChildren(...d.types.
map((L,I)=>new Option(L.name,String(I),!1,I===d.default))),R(".types").hidden=d.types.length<2,R(".marks").replaceChildren(
...ut(Y(),o,P)),ke(n[u],d.default),E!=="graph"&&(A=j()),k(d.default)}function j(){let{self:u,total:d}=ce(n[f]);return A>=
0&&d[A]>0?A:Math.max(Be(u),0)}function N(u){let d=S[v];d.selected>=0&&d.tree.fn[d.selected]>=0&&(A=d.tree.fn[d.selected]),
E=u,r.length=0;for(let g of i.querySelectorAll(".modes button"))g.setAttribute("aria-pressed",String(g.dataset.mode===E));
i.dataset.mode=E,R(".function").hidden=E==="graph",R(".lines").hidden=E!=="lines",a.hidden=E==="lines",R(".legend").hidden=
E==="lines",a.scrollTop=0,E==="graph"?(S=[G(n[f])],v=0):p(j()),B(),W(),O(!0)}function p(u){A=u;let d=n[f];v=0,S=E==="san\
dwich"?[G(ge(d,u),{selected:0}),G(bt(d,u),{dir:-1,from:1})]:[G(ge(d,u),{selected:0})],w(),E==="sandwich"&&(e.width=a.clientWidth,
B(),a.scrollTop=Math.max(0,S[0].base-e.height/2))}function h(u){u<0||u===A||(r.push(A),p(u),B(),W(),O(!0))}function w(){
let{self:u,total:d}=ce(n[f]),g=[...d.keys()].filter(I=>d[I]>0&&(!e.match||e.match.has(I))).sort((I,fe)=>d[fe]-d[I]||u[fe]-
u[I]).slice(0,300);g.includes(A)||g.unshift(A);let L=I=>Q(C(),d[I])+"  "+se(o,I);R(".function select").replaceChildren(...g.
map(I=>new Option(L(I),String(I),!1,I===A)))}function C(){return{...e,tree:n[f]}}function P(...u){if(E!=="graph"){h(u.at(
-1));return}let d=n[f],g=ot(d,u);if(g<0)return;let L=g;for(;L>0&&d.total[g]/d.total[L]>.12;)L=d.parent[L];S[0].zoom=L,B(),
O(!0),x(0,g)}function D(){let{tree:u,zoom:d,selected:g}=S[0],L=g<0?d:g;return{ArrowDown:()=>x(0,g<0?d:we(u,L)),ArrowUp:()=>{
u.parent[L]<0||(L===d&&y(u.parent[L]),x(0,u.parent[L]))},ArrowLeft:()=>{L!==d&&x(0,de(u,L,-1))},ArrowRight:()=>{L!==d&&x(
0,de(u,L,1))},Enter:()=>y(L),Escape:()=>{d>0?y(u.parent[d]):M()},Home:M}}function z(){let{tree:u,selected:d}=S[v],g=Math.
max(d,0),L=()=>x(v,we(u,g)),I=()=>x(u.parent[g]>0?v:0,Math.max(u.parent[g],0));return{ArrowDown:v===0?L:I,ArrowUp:()=>{v===
1?L():g>0?I():S[1].tree.n>1&&x(1,we(S[1].tree,0))},ArrowLeft:()=>x(v,de(u,g,-1)),ArrowRight:()=>x(v,de(u,g,1)),Enter:()=>h(
u.fn[g]),Escape:()=>$(),Home:()=>x(0,0)}}function $(){r.length?(p(r.pop()),B(),W(),O(!0)):N("graph")}function J(u){let d=E===
"graph"?D():z();!d[u.key]||u.ctrlKey||u.metaKey||u.altKey||(u.preventDefault(),d[u.key]())}function Se(){s.addEventListener(
"pointermove",u=>{let[d,g]=ve(S,e,u.offsetX,u.offsetY);S.some((L,I)=>L.hover!==(I===d?g:-1))&&(S.forEach((L,I)=>{L.hover=
I===d?g:-1}),B()),u.pointerType==="mouse"&&De(c,g<0?null:Fe(Y(d),o,g),u.clientX,u.clientY)}),s.addEventListener("pointer\
leave",()=>{for(let u of S)u.hover=-1;De(c,null),B()}),s.addEventListener("click",u=>{let[d,g]=ve(S,e,u.offsetX,u.offsetY);
if(!(g<0)){if(E==="sandwich"){h(S[d].tree.fn[g]);return}S[0].selected=g,y(g)}})}function vt(){let u=R(".tabs");u.replaceChildren(
...o.graphs.map((d,g)=>lt(d.title,()=>H(g)))),u.addEventListener("keydown",d=>{let g={ArrowRight:1,ArrowLeft:-1}[d.key];
g&&(H((f+g+o.graphs.length)%o.graphs.length),u.children[f].focus())})}function Ct(u,d){if(i=document.getElementById("fla\
me"),!(!i||!u.graphs?.length)){o=u,a=R(".stage"),s=a.querySelector("canvas"),l=s.getContext("2d"),c=R(".tip"),m=R(".stat\
us");for(let g of o.marks??[]){let L=e.marks.get(g.fn)??[];e.marks.set(g.fn,L.includes(g.id)?L:[...L,g.id])}vt(),Se(),a.
addEventListener("keydown",J),a.addEventListener("scroll",B);for(let g of i.querySelectorAll(".modes button"))g.addEventListener(
"click",()=>N(g.dataset.mode));R(".types select").addEventListener("change",g=>k(Number(g.target.value))),R(".function s\
elect").addEventListener("change",g=>h(Number(g.target.value))),R("input").addEventListener("input",g=>T(g.target.value)),
R("input").addEventListener("keydown",kt),R(".reset").addEventListener("click",M),H(o.marks?.[0]?.graph??0),d&&(O=d),new ResizeObserver(
B).observe(i),F.onChange(B)}}function kt(u){if(u.key!=="Enter"||!e.match?.size)return;let{total:d}=ce(n[f]),g=Be(d,e.match);
g>=0&&P(g)}function Rt(u){let d=o.marks[u];E!=="graph"&&N("graph"),f!==d.graph&&H(d.graph),P(d.fn),i.scrollIntoView({block:"\
start"}),a.focus({preventScroll:!0})}function Ht(u){f!==u&&H(u),a.focus({preventScroll:!0})}function Pt(){let{zoom:u,selected:d}=S[0],
g=L=>E==="graph"&&L>0?ze(n[f],o)[L]:0;return{graph:f,type:o.graphs[f].types[b].name,view:E,zoom:g(u),at:g(d),fn:E==="gra\
ph"?"":o.funcs[A]?.[0]??"",find:R("input").value}}function Ft(u){let d=O;O=()=>{},K=u.filter,n.length=0,H(Math.min(u.graph,
o.graphs.length-1)),E!=="graph"&&N("graph");let g=o.graphs[f].types.findIndex(L=>L.name===u.type);if(g>=0&&g!==b&&k(g),R(
"input").value=u.find,T(u.find),u.view==="sandwich"||u.view==="lines")A=o.funcs.findIndex(([L])=>L===u.fn),N(u.view);else{
S[0].zoom=Ue(n[f],o,u.zoom),B();let L=Ue(n[f],o,u.at);L>0?x(0,L):W()}O=d}function Dt(){return{tree:n[f],column:b,match:e.
match}}function It(){let u=S[v];return u.selected>0||E!=="graph"&&u.selected===0?le(Y(),o,u.selected):""}return{start:Ct,
showMark:Rt,showGraph:Ht,reset:M,state:Pt,restore:Ft,shownFunctions:Dt,selectedName:It,jump:P,keys:J}})();var Tt=[["graph","graph"],["type","type"],["view","view"],["fn","fn"],["zoom","zoom"],["at","at"],["q","find"]];function St(){
let e=_.state();return{write:n=>{let t=_.state();for(let[r,o]of Tt)t[o]!==e[o]&&n.set(r,String(t[o]))},read:n=>{let t=(r,o)=>Number(
n.get(r)??o)||0;_.restore({graph:Math.max(0,Math.trunc(t("graph",e.graph))),type:n.get("type")??e.type,view:n.get("view")??
e.view,fn:n.get("fn")??"",zoom:t("zoom",0),at:t("at",0),find:n.get("q")??"",filter:null})}}}var Mt=e=>Tt.some(([n])=>e.has(
n));var ue=(()=>{let e=[],n="",t=!1,r=!1,o=()=>{};function i(){let c=new URLSearchParams;for(let m of e)m.write(c);return c.
size?"#~"+c.toString().replaceAll("%2C",","):""}function a(c){r||=c,!t&&(t=!0,queueMicrotask(()=>{let m=i();if(m!==n){let f=new URL(
location.href);f.hash=m,r?history.pushState({view:m},"",f):history.replaceState({view:m},"",f),n=m}t=r=!1}))}function s(){
let c=location.hash&&!location.hash.startsWith("#~")?location.hash.slice(1):"",m=history.state?.view;if(c&&typeof m!="st\
ring"){o(c),n=i(),history.replaceState({view:n},"");return}let f=c?String(m):location.hash;if(f===n)return;let b=new URLSearchParams(
f.slice(2));for(let E of e)E.read(b);n=i()}function l(c,m){return e=c,m&&(o=m),addEventListener("popstate",s),addEventListener(
"hashchange",s),s(),new URLSearchParams(n.slice(2))}return{start:l,changed:a}})();var nn=50,Te=(()=>{let e=new Map,n=new Map,t=!1;function r(s){if(s.id)return s.id;let l=s.closest("[id]")??document.body,
c=[...l.querySelectorAll("details:not([id])")].filter(m=>(m.closest("[id]")??document.body)===l);return l.id+"."+c.indexOf(
s)}function o(s=ue.changed){for(let c of document.querySelectorAll("details"))e.set(c,c.open),n.set(r(c),c);document.addEventListener(
"toggle",()=>{t||s(!0)},!0);let l=[];addEventListener("beforeprint",()=>{t=!0,l=[...document.querySelectorAll("details.f\
inding:not([open])")];for(let c of l)c.open=!0}),addEventListener("afterprint",()=>{for(let c of l)c.open=!1;t=!1})}let i={
write:s=>{let l=[...n].filter(([,c])=>c.open!==e.get(c));for(let[c,m]of[["unfold",!0],["fold",!1]]){let f=l.filter(([,b])=>b.
open===m).map(([b])=>b).slice(0,nn);f.length&&s.set(c,f.join(","))}},read:s=>{let l=f=>new Set((s.get(f)??"").split(",")),
c=l("unfold"),m=l("fold");for(let[f,b]of n)b.open=c.has(f)||e.get(b)&&!m.has(f)}};function a(s){let l=document.getElementById(
s),c=l?.closest("details");!c||c.open||(c.open=!0,l.scrollIntoView())}return{start:o,part:i,follow:a}})();var rn=50;function on(e,n,t,{shown:r,show:o,changed:i}){let a=new Set,s=new WeakMap,l="flat",c=30,m=[],f,b;function E(){
let p=r(),h=[p.tree,p.column,p.match,l,c];if(h.every((D,z)=>D===m[z]))return;m=h,f=p.tree,b=dt(f);let w=s.get(W(document.
activeElement))?.key,C=Oe(pt(f).filter(D=>!p.match||p.match.has(D.fn)),l);e.replaceChildren(...C.length?A(C):[U("p","No \
function matches.","empty")]);let P=B();P.length&&(P[0].tabIndex=0),w!==void 0&&y(P.find(D=>s.get(D).key===w)??P[0])}function A(p){
let h=Z("table","treegrid","cards functions");h.setAttribute("aria-label","Functions"),h.setAttribute("aria-describedby",
"functions-how");let w=Z("thead","rowgroup");w.append(S());let C=Z("tbody","rowgroup");if(C.append(...p.slice(0,c).flatMap(
(D,z)=>v(D,z,p.length))),h.append(w,C),p.length<=c)return[h];let P=U("button","Show more: "+pe(p.length-c)+" functions a\
re left","quiet more");return P.type="button",P.addEventListener("click",()=>{let D=c;c+=200,i(!1),y(B().filter(z=>z.ariaLevel===
"1")[D])}),[h,P]}function S(){let p=Z("tr","row"),h=Z("th","columnheader");return h.scope="col",h.append("Function"),p.append(
h,...b.map(([w,C])=>{let P=Z("th","columnheader","num");if(P.scope="col",!w)return P.append(C),P;let D=U("button",C+(w===
l?" ▾":""),"link");return D.type="button",D.dataset.sort=w,D.addEventListener("click",()=>{l=w,i(!0),e.querySelector("\
[data-sort="+w+"]")?.focus()}),w===l&&P.setAttribute("aria-sort","descending"),P.append(D),P})),p}function v(p,h,w){p.key=
sn(t,p.path);let C=Z("tr","row");return s.set(C,p),C.tabIndex=-1,C.setAttribute("aria-level",String(p.path.length)),C.setAttribute(
"aria-posinset",String(h+1)),C.setAttribute("aria-setsize",String(w)),p.calls&&C.setAttribute("aria-expanded",String(a.has(
p.key))),C.append(O(C,p),...b.map(([P,D,z],$)=>{let J=Z("td","gridcell","num");return J.append(z(p)),J.dataset.label=P?D.
toLowerCase():b[$-1][1].toLowerCase()+" "+D,J})),p.calls&&a.has(p.key)?[C,...K(p)]:[C]}function K(p){let h=Oe(ht(f,p),l);
return h.flatMap((w,C)=>v(w,C,h.length))}function O(p,h){let w=Z("th","rowheader");w.scope="row";let C=U("span",h.calls?
a.has(h.key)?"▾":"▸":"","twist");C.setAttribute("aria-hidden","true"),C.addEventListener("click",()=>{h.calls&&x(p)});
let P=U("button",t.funcs[h.fn][0],"link symbol");P.type="button",P.tabIndex=-1,P.addEventListener("click",()=>o(h.path));
let D=U("div",P);D.append(U("span",[...R(h.fn),...G(h.fn)].join(" · "),"sub"));let z=U("div",C,"tree");return z.style.setProperty(
"--above",String(h.path.length-1)),z.append(D),w.append(z),w}function R(p){let[,h,w]=t.funcs[p];return w===Me?[X[w],t.files[h]]:
[X[w],...h<0?[]:[t.files[h].split("/").slice(-2).join("/")]]}function G(p){return[...new Set((t.marks??[]).filter(h=>h.fn===
p).map(h=>h.id))]}function Y(p,h){let w=b.map(([,,z])=>z(h)),C=h.path.slice(0,-1).map(z=>se(t,z)).reverse(),P=G(h.fn),D=h.
calls?p.ariaExpanded==="true"?"What it calls is open":"Right shows what it calls":"It calls nothing that was counted";return[
t.funcs[h.fn][0]+(C.length?", called by "+C.join(", by "):""),[["itself",0],["with what it calls",2]].map(([z,$])=>w[$]+
" "+z+", "+w[$+1]+(f.sides?" against the base":" of all")).join("; "),(oe(t,h.fn)?"It is ":"In ")+[Pe[X[t.funcs[h.fn][2]]],
...R(h.fn).slice(1)].join(", "),...P.length?["A place of "+P.join(", ")]:[],D].join(". ")+"."}function B(){return[...e.querySelectorAll(
"tbody tr")]}function W(p){return p&&e.contains(p)?p.closest("tbody tr"):null}function y(p){p?.focus()}function x(p){let h=s.
get(p),w=!a.delete(h.key);if(w)a.add(h.key),p.after(...K(h));else for(;Number(p.nextElementSibling?.ariaLevel)>h.path.length;)
p.nextElementSibling.remove();p.setAttribute("aria-expanded",String(w)),p.querySelector(".twist").textContent=w?"▾":"▸",
W(document.activeElement)===p?n.textContent=Y(p,h):e.querySelector('tbody tr[tabindex="0"]')||(p.tabIndex=0),i(!1)}function T(p){
let h=p.previousElementSibling;for(;h&&Number(h.ariaLevel)>=Number(p.ariaLevel);)h=h.previousElementSibling;return h}function M(p){
let h=W(p.target);if(!h||p.ctrlKey||p.metaKey||p.altKey)return;let w=h.ariaExpanded,C={ArrowDown:()=>y(h.nextElementSibling),
ArrowUp:()=>y(h.previousElementSibling),ArrowRight:()=>{w==="true"?y(h.nextElementSibling):w&&x(h)},ArrowLeft:()=>{w==="\
true"?x(h):y(T(h))},Home:()=>y(B()[0]),End:()=>y(B().at(-1)),Enter:()=>o(s.get(h).path)}[p.key];C&&(p.preventDefault(),p.
stopPropagation(),C())}function k(p){let h=W(p.target);if(!h)return;for(let C of e.querySelectorAll('tbody tr[tabindex="\
0"]'))C.tabIndex=-1;h.tabIndex=0;let w=Y(h,s.get(h));n.textContent!==w&&(n.textContent=w)}e.addEventListener("keydown",M),
e.addEventListener("focusin",k);function H(){return{sort:l,open:[...a].slice(-rn).map(p=>p.toString(16)).join(".")}}function j({
sort:p,open:h}){l=p==="cum"?"cum":"flat",a.clear();for(let w of h.split("."))w&&a.add(Number.parseInt(w,16));m=[]}function N(){
let p=s.get(W(document.activeElement));return p?t.funcs[p.fn][0]:""}return{refresh:E,state:H,restore:j,focusedName:N}}function Z(e,n,t){
let r=document.createElement(e);return r.setAttribute("role",n),t&&(r.className=t),r}function sn(e,n){let t=Ke(e);return n.
reduce((r,o,i)=>qe(r,t[o],i+1),0)>>>0}function an(e){let n=document.querySelector(".stage");_.jump(...e),n.scrollIntoView(
{block:"center"}),n.focus({preventScroll:!0})}function Lt(e,n){let t=document.getElementById("functions");if(!t)return _.
start(e,n),[];let r,o=()=>{t.open&&r.refresh()},i=a=>{o(),n(a)};return r=on(document.getElementById("function-table"),document.
getElementById("row-said"),e,{shown:_.shownFunctions,show:an,changed:i}),_.start(e,i),t.addEventListener("toggle",o),[{write:a=>{
let{sort:s,open:l}=r.state();s!=="flat"&&a.set("sort",s),l&&a.set("rows",l)},read:a=>{r.restore({sort:a.get("sort"),open:a.
get("rows")??""}),o()}}]}document.documentElement.classList.add("js");F.start();Te.start();var We=JSON.parse(document.getElementById("data").textContent);
ie.start(We.vitals);ie.onChange(()=>ue.changed(!0));var ln=Lt(We.flame,ue.changed),At=ue.start([...We.flame.graphs?.length?
[St()]:[],Ye,...ln,Te.part],Te.follow);Mt(At)?document.getElementById("profiles")?.scrollIntoView():At.has("from")&&document.
getElementById("vitals")?.scrollIntoView();Xe();for(let e of document.querySelectorAll("[data-mark]"))e.addEventListener(
"click",()=>_.showMark(Number(e.dataset.mark)));for(let e of document.querySelectorAll("[data-graph]"))e.addEventListener(
"click",()=>_.showGraph(Number(e.dataset.graph)));})();

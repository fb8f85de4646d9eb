// Made of app/report/web/main.ts by `make web`.
"use strict";(()=>{var Ve=[[1099511627776," TiB",1],[1073741824," GiB",1],[1048576," MiB",1],[1024," KiB",1],[1," B",0]],jt=[[86400," days",
2],[3600," h",2],[60," min",10],[1," s",1],[.001," ms",1],[1e-6," µs",1],[1e-9," ns",0]],Gt=[[1e12," T",1],[1e9," G",1],
[1e6," M",1],[1e3," k",0]];function $e(e){return Number(e.toPrecision(3))}function _e(e){return e.replace(/\.?0+(e|$)/,"\
$1")}function re(e){if(e<0)return"−"+re(-e);if(e===0)return"0";if(e<5e-7)return"<0.000001";if(e>=1e15)return _e(e.toExponential(
2));if(e>=99.95)return e.toFixed(0).replace(/\B(?=(\d{3})+$)/g,",");let n=2-Math.floor(Math.log10($e(e))+1e-9),t=e.toFixed(
Math.min(n,6));return t.includes(".")?_e(t):t}function Vt(e){return Math.abs(e)<1?Number(e.toPrecision(2)):Math.round(10*
e)/10}function pe(e,n){if(e<0)return"−"+pe(-e,n);for(let[t,r,o]of n)if(e>0?$e(e/t)>=o:t===1)return re(e/t)+r;return re(
e)}function ye(e){return e<0?"−"+ye(-e):Math.round(e)<1e4?re(e):pe(e,Gt)}function _t(e,n){switch(n){case"bytes":return pe(
e,Ve);case"bytes/s":return pe(e,Ve)+"/s";case"seconds":return pe(e,jt);case"share":return re(Vt(100*e))+" %";case"cores":
return re(e)==="1"?"1 core":re(e)+" cores";case"1/s":return ye(e)+"/s";case"count":case"":return ye(e)}return ye(e)+" "+
n}function G(e,n){return e==null||!Number.isFinite(e)?"–":_t(e,n).replaceAll(" "," ")}function he(e){return G(e,"coun\
t")}function te(e){return G(e,"share")}function oe(e){let n=e<0?"−":"+",t=Math.round(Math.abs(e));if(t===0)return"0:00";
let r=l=>String(l).padStart(2,"0"),o=Math.floor(t/3600),a=Math.floor(t/60)%60;return n+(o?o+":"+r(a):a)+":"+r(t%60)}var Ye=20;function Xe(e,n,t){let r=-1,o=-1;e.tabIndex=0,e.setAttribute("role","application"),e.setAttribute("aria-rolede\
scription","time line"),e.setAttribute("aria-label","Time line of all charts. Left and Right move, with Shift they choos\
e a part, Enter zooms to it, Escape resets.");function a(){let[i,u]=t.range(),h=t.times.findIndex(m=>m>=i),c=t.times.findLastIndex(
m=>m<=u);return[Math.max(h,0),c<0?t.times.length-1:c]}function l(i,u){let[h,c]=a(),m=r<0?i:r;r=Math.min(Math.max(i,h),c),
u?o<0&&(o=m):o=r,t.point(t.times[r],t.times[o]);let[y,S]=[Math.min(o,r),Math.max(o,r)].map(C=>oe(t.times[C]));n.textContent=
(y===S?"":"From "+y+" to "+S+" is chosen; Enter zooms. ")+"At "+oe(t.times[r])+": "+t.values(r)+"."}function s(i){t.zoom(
i),o=r,t.point(r<0?NaN:t.times[r],r<0?NaN:t.times[r]),n.textContent=i?"From "+oe(i[0])+" to "+oe(i[1])+" is shown. Escap\
e shows all.":"All of it is shown."}e.addEventListener("keydown",i=>{if(i.ctrlKey||i.metaKey||i.altKey)return;let[u,h]=a(),
c=r<0?Math.min(Math.max(t.times.findLastIndex(S=>S<=0),u),h):r,m=S=>()=>l(r<0?c:c+S,i.shiftKey),y={ArrowLeft:m(-1),ArrowRight:m(
1),PageUp:m(-Ye),PageDown:m(Ye),Home:()=>l(u,i.shiftKey),End:()=>l(h,i.shiftKey),Enter:()=>{o>=0&&o!==r&&s([t.times[Math.
min(o,r)],t.times[Math.max(o,r)]])},Escape:()=>{r=-1,s(null)}}[i.key];y&&(i.preventDefault(),y())})}var N=(()=>{let e=document.documentElement,n=matchMedia("(prefers-color-scheme: dark)"),t=[],r=document.createElement("s\
pan");r.hidden=!0,document.body.append(r);let o="",a=!1,l=()=>!a&&(o?o==="dark":n.matches);function s(){e.style.colorScheme=
a?"light":o;let c=document.getElementById("theme");c.textContent=l()?"Light":"Dark";for(let m of t)m()}function i(){document.
getElementById("theme").addEventListener("click",()=>{o=l()?"light":"dark",s()}),n.addEventListener("change",s),addEventListener(
"beforeprint",()=>{a=!0,s()}),addEventListener("afterprint",()=>{a=!1,s()}),s()}function u(c){return r.style.color="var(\
--"+c+")",getComputedStyle(r).color}function h(c){return getComputedStyle(e).getPropertyValue("--"+c).trim()}return{start:i,
color:u,font:h,onChange:c=>t.push(c)}})();var ce=(()=>{let t=Array.from({length:50},(w,x)=>2**x),r=[1,2,5,10,15,30,60,120,300,600,900,1800,3600,7200,14400,43200,86400],
o=3,a=[[],[6,3],[1.5,3]],l=[],s=[],i=null,u=()=>{};function h(w,x){return w===0?"0":G(w,x).replace(/\/s$|\u00a0cores?$/,
"")}function c(w){let T={font:"11px "+N.font("sans"),stroke:()=>N.color("muted"),grid:{stroke:()=>N.color("line"),width:1},
ticks:{show:!1}};return[{...T,incrs:r,space:56,size:22,gap:4,values:(M,v)=>v.map(oe)},{...T,size:58,gap:6,space:26,...w.
startsWith("bytes")?{incrs:t}:{},values:(M,v)=>v.map(I=>h(I,w))}]}function m(w,x){let{ctx:T}=w,M=devicePixelRatio,{left:v,
top:I,width:U,height:B}=w.bbox,p=[],d=E=>E.names.size===1?[...E.names][0]:[...E.names][0]+" +"+(E.names.size-1);T.save(),
T.font=10*M+"px "+N.font("sans"),T.textBaseline="bottom",T.textAlign="left";for(let E of x){let R=w.valToPos(E.from,"x",
!0),F=Math.max(w.valToPos(E.to,"x",!0),R+1.5*M);if(F<v||R>v+U)continue;let H=Math.max(R,v),z=Math.min(F,v+U);E.start?y(T,
H,I,B):(T.fillStyle=E.to>E.from?N.color("span"):N.color("line-strong"),T.fillRect(H,I,z-H,B));let V=p[p.length-1],J=E.start?
[E.label]:E.label.split(", ");V&&H<V.x+T.measureText(d(V)+" +9").width+6*M?J.forEach(ie=>V.names.add(ie)):p.push({x:H,names:new Set(
J)})}T.fillStyle=N.color("muted");for(let E of p){let R=Math.max(v,Math.min(E.x,v+U-T.measureText(d(E)).width));T.fillText(
d(E),R,I-2*M)}T.restore()}function y(w,x,T,M){let v=devicePixelRatio;w.fillStyle=N.color("text");for(let I=T;I<T+M;I+=7*
v)w.fillRect(x,I,Math.max(v,1.5),Math.min(4*v,T+M-I))}function S(w,x){let T=devicePixelRatio,{left:M,top:v,width:I,height:U}=w.
bbox;w.ctx.fillStyle=N.color("muted");for(let B of x){let p=Math.max(w.valToPos(B.from,"x",!0),M),d=Math.min(w.valToPos(
B.to,"x",!0),M+I);d>M&&p<M+I&&w.ctx.fillRect(p,v+U-4*T,Math.max(d-p-(d-p>4*T?T:0),T),4*T)}}function C(w){let x=Math.round(
w.valToPos(0,"x",!0)),{left:T,top:M,width:v,height:I}=w.bbox;x<T||x>T+v||(w.ctx.fillStyle=N.color("trip"),w.ctx.fillRect(
x,M,Math.max(devicePixelRatio,1.5),I))}function k(w,x,T,M){let v=w.querySelectorAll(".sig b"),I=x.t.findLastIndex(U=>U<=
0);return I<0&&(I=0),U=>{let B=U.cursor.idx??I;T.forEach((p,d)=>{v[d].textContent=G(p.v[B],M)})}}function A(w,x){return w===
x||!!w&&!!x&&w.every((T,M)=>Math.abs(T-x[M])<=1e-6*(x[1]-x[0]))}function O(w,x){let{min:T,max:M}=w.scales.x;if(x!=="x"||
T==null||M==null)return;let v=T<=s[0]&&M>=s.at(-1)?null:[T,M];A(v,i)||(j(v),u())}function j(w){i=w;for(let{u:x}of l)q(x)}
function q(w){let[x,T]=i??[s[0],s.at(-1)];w.setScale("x",{min:x,max:T})}function D(w,x){let T=x.charts[Number(w.dataset.
chart)],M=w.querySelector(".plot"),v=k(w,x,T.series,T.unit),I=new uPlot({width:M.clientWidth,height:140,padding:[14,20,0,
0],legend:{show:!1},cursor:{sync:{key:"vitals",filters:{pub:B=>B.startsWith("mousemove")||B==="mouseleave"}},y:!1,points:{
size:5},drag:{x:!0,y:!1}},scales:{x:{time:!1},y:{range:(B,p,d)=>[Math.min(p??0,0),d>0?d*1.12:1]}},axes:c(T.unit),series:[
{},...T.series.map((B,p)=>({label:B.name,stroke:()=>N.color("s"+Math.min(p,2)),width:1.5,points:{show:!1},spanGaps:!0,dash:a[Math.
min(p,2)]}))],hooks:{drawClear:[B=>m(B,x.spans??[])],draw:[B=>S(B,x.gc??[]),C],setCursor:[v],setScale:[O]}},[x.t,...T.series.
map(B=>B.v)],M);v(I);let U=()=>[...w.querySelectorAll(".sig")].map(B=>B.textContent.trim()).join(", ");l.push({u:I,box:M,
spoken:U}),i&&q(I),l.length===1&&$(M)}function $(w){Xe(w,document.getElementById("moment"),{times:s.map(Number),zoom:x=>{
j(x),u()},range:()=>i??[s[0],s.at(-1)],values:()=>l.map(x=>x.spoken()).slice(0,o).join(", "),point:(x,T)=>{for(let{u:M}of l){
let v=M.valToPos(x,"x",!1),I=M.valToPos(T,"x",!1);M.setCursor({left:Number.isFinite(v)?v:-10,top:10},!0,!1),M.setSelect(
{left:Math.min(v,I),top:0,width:Math.abs(v-I)||0,height:M.over.clientHeight},!1)}}})}function Y(w){if(!w.charts?.length)
return;s=w.t;let x=new Set(document.querySelectorAll("[data-chart]")),T=new ResizeObserver(()=>{for(let M of x)M.clientWidth>
0&&(x.delete(M),D(M,w));for(let{u:M,box:v}of l)v.clientWidth>0&&v.clientWidth!==M.width&&M.setSize({width:v.clientWidth,
height:140})});document.querySelectorAll(".charts").forEach(M=>T.observe(M)),N.onChange(()=>l.forEach(({u:M})=>M.redraw(
!1,!0)))}return{start:Y,show:j,range:()=>i,onChange:w=>{u=w}}})();var Qe={write:e=>{let n=ce.range();n&&["from","to"].forEach((t,r)=>e.set(t,String(Math.round(n[r]*1e3)/1e3)))},read:e=>{
let[n,t]=["from","to"].map(r=>Number(e.get(r))||0);ce.show(e.has("from")&&n<t?[n,t]:null)}};function Je(){for(let e of document.querySelectorAll("[data-copy]"))e.addEventListener("click",async()=>{let n=document.
getElementById(e.dataset.copy);try{await navigator.clipboard.writeText(n.textContent),e.textContent="Copied"}catch{getSelection().
selectAllChildren(n),e.textContent="Selected"}})}var X=["user","dependency","std","runtime","label"],Me=X.indexOf("label"),Le="↳ ",K=19,et=.5,de=4;function $t(){return{
owner:X.map(e=>N.color("f-"+e)),text:N.color("f-text"),rest:N.color("f-rest"),match:N.color("f-match"),mark:N.color("f-m\
ark"),markText:N.color("f-mark-text"),more:[1,2,3].map(e=>N.color("f-more"+e)),less:[1,2,3].map(e=>N.color("f-less"+e)),
none:N.color("f-none"),ground:N.color("raised"),focus:N.color("text"),muted:N.color("muted")}}function ve(e){let n=e.search(
/[[(]/);return e.slice(e.lastIndexOf("/",n<0?e.length:n)+1)}function se(e,n){return n>=0&&e.funcs[n][2]===Me}function ae(e,n){
return se(e,n)?e.funcs[n][0]:ve(e.funcs[n][0])}function Yt(e,n,t){let r=e.depth[n];for(let o=n;o<e.end[n];){if(e.total[o]*
t<et){o=e.end[o];continue}e.depth[o]>r&&(r=e.depth[o]),o++}return r+1}function tt(e,n){let t=e.map(({tree:o,zoom:a})=>Yt(
o,a,o.total[a]>0?n/o.total[a]:0));if(e.length===1){let o=Math.max(t[0],3);return e[0].base=e[0].dir>0?0:(o-1)*K,o}let r=t[1]-
1;for(let o of e)o.base=r*K;return Math.max(r+t[0],3)}function Ae(e,n,t,r){let o=Math.floor((r+n.top-e[0].base)/K),a=o<0&&
e.length>1?1:0,{tree:l,zoom:s,dir:i}=e[a];if(o*i<0)return[a,-1];let u=Math.abs(o);if(u<l.depth[s]){let c=s;for(;c>=0&&l.
depth[c]>u;)c=l.parent[c];return[a,c]}let h=l.x[s]+t/n.width*l.total[s];for(let c=s;c<l.end[s];){if(h<l.x[c]||h>=l.x[c]+
l.total[c]){c=l.end[c];continue}if(l.depth[c]===u)return[a,c];c++}return[a,-1]}function nt(e,n,t){let{tree:r,zoom:o,width:a,
height:l,top:s,base:i,dir:u,from:h}=n,c=$t(),m=r.total[o]>0?a/r.total[o]:0,y=new Float64Array(4096).fill(-1);e.font="11.\
5px "+N.font("mono"),e.textBaseline="middle";let S=e.measureText("m").width,C={ctx:e,c,glyph:S,view:n,data:t,t:r};for(let k=r.
parent[o];k>=0;k=r.parent[k])Ze(C,k,0,i+u*r.depth[k]*K-s,a,!0);for(let k=o;k<r.end[o];){let A=i+u*r.depth[k]*K-s,O=r.total[k]*
m;if((u>0?A>l:A<-K)||O===0){k=r.end[k];continue}if(r.depth[k]<h){k++;continue}let j=(r.x[k]-r.x[o])*m;if(O<et){let q=Math.
floor(j);A>-K&&A<l&&y[r.depth[k]]<q&&(e.fillStyle=c.rest,e.fillRect(q,A,1,K-1),y[r.depth[k]]=q),k=r.end[k];continue}A>-K&&
A<l&&Ze(C,k,j,A,O,!1),k++}}function Xt(e,n,t,r){if(!n.change)return r<0?e.rest:e.owner[r];let o=rt(n.change[t]);return o>
0?e.more[o-1]:o<0?e.less[-o-1]:e.none}function Ze({ctx:e,c:n,glyph:t,view:r,data:o,t:a},l,s,i,u,h){let c=a.fn[l],m=c<0?-1:
o.funcs[c][2],y=r.match&&c>=0&&r.match.has(c),S=h||r.match&&!y;e.globalAlpha=S?.4:a.change?1:[1,.86,.93][c<0?0:c%3],e.fillStyle=
y?n.match:Xt(n,a,l,m);let C=u>3?1:0;e.fillRect(s,i,u-C,K-1),y&&(e.fillStyle=n.text,e.fillRect(s,i+K-3,u-C,2)),e.globalAlpha=
h?.75:1;let k=s+de,A=c<0?void 0:r.marks.get(c);A&&(k=Qt(e,n,A,s,i,u-C,t));let O=a.change?ot(a.change[l]):"",j=a.line[l]<
0?Le:"";Jt(e,O+j+(c<0?"all":ae(o,c)),n.text,k,i,s+u-de,t),e.globalAlpha=1,(l===r.selected||l===r.hover)&&(e.strokeStyle=
n.focus,e.lineWidth=l===r.selected?2:1,e.strokeRect(s+1,i+1,Math.max(u-C-2,1),K-3))}function Qt(e,n,t,r,o,a,l){if(e.fillStyle=
n.mark,a<5)return e.fillRect(r,o,a,K-1),r+de;e.strokeStyle=n.mark,e.lineWidth=2,e.strokeRect(r+1,o+1,a-2,K-3);let s=t.join(
" "),i=s.length*l+8;return i>a?r+de:(e.fillRect(r,o,i,K-1),e.fillStyle=n.markText,e.fillText(s,r+4,o+K/2),r+i+de)}function Jt(e,n,t,r,o,a,l){
let s=Math.floor((a-Math.max(r,0))/l);s<2||(e.fillStyle=t,e.fillText(n.length<=s?n:n.slice(0,s-1)+"…",Math.max(r,0),o+
K/2))}function we(e,n){let t=(e.fn??[]).length+1,r={n:t,graph:e,funcs:n,fn:new Int32Array(t),line:new Int32Array(t),depth:new Int32Array(
t),parent:new Int32Array(t),end:new Int32Array(t),self:new Float64Array(t),total:new Float64Array(t),x:new Float64Array(
t)};r.fn[0]=-1,r.parent[0]=-1;for(let o=1;o<t;o++){r.fn[o]=e.fn[o-1],r.line[o]=e.line[o-1];let a=o-1;for(let l=e.up[o-1];l>
0;l--)a=r.parent[a];r.parent[o]=a,r.depth[o]=r.depth[a]+1}return ke(r),r}function ke(e){for(let n=e.n-1;n>=0;n--)e.end[n]=
Math.max(e.end[n],n+1),n>0&&(e.end[e.parent[n]]=Math.max(e.end[e.parent[n]],e.end[n]))}function Ce(e,n){let{self:t,total:r,
x:o,parent:a,n:l}=e;t.set(e.graph.self[n]),r.set(e.graph.self[n]);for(let[i,u]of e.graph.cut[n])r[i]+=u;for(let i=l-1;i>
0;i--)r[a[i]]+=r[i];let s=new Float64Array(l);for(let i=1;i<l;i++){let u=a[i];o[i]=o[u]+s[u],s[u]+=r[i]}e.type=e.graph.types[n],
e.whole=e.graph.wholes?.[n],e.graph.diff&&!e.change&&lt(e)}function st(e,n){let t=0,r=0,o=0;for(let a=1;a<e.n;a++)n(e.fn[a])&&
(e.total[a]>0&&t++,a>=o&&(r+=e.total[a],o=e.end[a]));return{frames:t,sum:r}}function at(e,n){let t=n.length-1,r=-1;for(let o=1;o<
e.n;o++){if(e.fn[o]!==n[t]||r>=0&&e.total[o]<=e.total[r])continue;let a=t;for(let l=e.parent[o];a>0&&l>0&&e.fn[l]===n[a-
1];l=e.parent[l])a--;a===0&&(r=o)}return r}function ge(e,n,t){let r=e.parent[n];if(r<0)return n;let o=n,a=!1;for(let l=r+
1;l<e.end[r];l=e.end[l])if(e.total[l]!==0){if(t>0&&a)return l;if(l===n){if(t<0)return o;a=!0}o=l}return n}function Ee(e,n){
let t=n;for(let r=n+1;r<e.end[n];r=e.end[r])e.total[r]>0&&(t===n||e.total[r]>e.total[t])&&(t=r);return t}function ue({tree:e},n,t){return e.fn[t]<0?"all":n.funcs[e.fn[t]][0]}function Zt({tree:e},n,t){let r=e.fn[t]<0?-1:n.funcs[e.
fn[t]][1];return r<0?"":n.files[r]+(e.line[t]?":"+Math.abs(e.line[t]):"")}function le({tree:e},n){return G(n*e.type.scale,
e.type.unit)}function Q({tree:e},n){let t=e.whole??e.total[0];return te(t?n/t:0)}function Re(e,n,t){let[r,o]=e.links?.[e.
funcs[n]?.[1]]??[-1,""];return r<0?"":e.folders[r]+o.replace("{}",String(Math.max(t,1)))}function He(e,n){let t=document.
createElement("a");return t.href=e,t.rel="noopener noreferrer",t.textContent=n,t}var Pe={user:"your code",dependency:"a \
dependency",std:"the standard library",runtime:"the runtime",label:"the value of a label"};function it(e,n,t){let r=e.tree.
fn[t],o=e.tree.line[t]<0?"inlined":"";return r<0?"":[Pe[X[n.funcs[r][2]]],Zt(e,n,t),o].filter(Boolean).join(" · ")}function Ie(e,n,t){
let r=e.tree,o=r.change?[ue(e,n,t),it(e,n,t),...Fe(r,t)]:[ue(e,n,t),it(e,n,t),le(e,r.total[t])+" total, "+Q(e,r.total[t])+
" · "+le(e,r.self[t])+" self, "+Q(e,r.self[t])],a=r.parent[t];a>0&&r.total[a]>0&&o.push(te(r.total[t]/r.total[a])+" of "+
ae(n,r.fn[a]));let l=(n.marks??[]).filter(s=>s.fn===r.fn[t]);return{lines:o,findings:[...new Set(l.map(s=>s.id+": "+n.findings[s.
finding]))]}}function De(e,n,t=0,r=0){if(e.hidden=!n,!n)return;let{lines:o,findings:a}=n;e.replaceChildren(...[...o,...a].
map((s,i)=>{let u=document.createElement("div");return u.textContent=s,i>=o.length&&(u.className="finding-line"),u}));let l=e.
getBoundingClientRect();e.style.left=Math.max(8,Math.min(t+14,innerWidth-l.width-8))+"px",e.style.top=(r+18+l.height>innerHeight?
Math.max(8,r-l.height-12):r+18)+"px"}function ct(e,n){let t=e.tree,r=[],{match:o}=e;if(o){let a=st(t,l=>o.has(l));r.push(
a.frames?["Found ",Q(e,a.sum)," ("+le(e,a.sum)+") in "+he(a.frames)+" frames"]:["Found ","nothing",""])}if(e.selected>=0){
let a=Ie(e,n,e.selected);r.push(["",a.lines[0]," "+[...a.lines.slice(1,t.change?4:3),...a.findings].filter(Boolean).join(
" · "),Re(n,t.fn[e.selected],Math.abs(t.line[e.selected]))])}else if(!e.match){let a=e.zoom?" in "+ue(e,n,e.zoom):"";t.
change?r.push(["",ue(e,n,e.zoom),": "+Fe(t,e.zoom).join(" · ")]):r.push(["",le(e,t.total[e.zoom]),(t.whole?" ("+Q(e,t.total[e.
zoom])+")":"")+" of "+t.type.name+a+", "+he(t.n-1)+" frames"])}return r.map(([a,l,s,i])=>{let u=document.createElement("\
span"),h=document.createElement("b");return h.textContent=l,u.append(a,h,s),i&&u.append(" · ",He(i,"source")),u})}function ut(e,n){
let t=document.createElement("button");return t.type="button",t.setAttribute("role","tab"),t.textContent=e,t.addEventListener(
"click",n),t}function ne(e,n){let t=document.createElement("span"),r=document.createElement("span");return r.className="\
key "+e,t.append(r,n),t}function ft(e,n){let t=e.tree;if(t.change)return pt();let r={user:"your code",dependency:"depend\
encies",std:"standard library",runtime:"runtime"},o=new Float64Array(X.length);for(let l=1;l<t.n;l++){let s=l;for(;se(n,
t.fn[s])&&t.parent[s]>0;)s=t.parent[s];se(n,t.fn[s])||(o[n.funcs[t.fn[s]][2]]+=t.self[l])}let a=X.flatMap((l,s)=>o[s]>0?
[ne(l,r[l]+" "+Q(e,o[s]))]:[]);return t.fn.some(l=>se(n,l))&&a.push(ne("label","value of a label")),t.line.some(l=>l<0)&&
a.push(ne("inlined",Le+"inlined by the compiler")),t.fn.some(l=>e.marks.has(l))&&a.push(ne("mark","frame of a finding")),
a}function mt(e,n,t){let r=new Set(e.tree.fn),o=new Map;for(let a of n.marks??[]){if(!r.has(a.fn))continue;let l=o.get(a.
finding)??{id:a.id,fns:new Set};l.fns.add(a.fn),o.set(a.finding,l)}return[...o].sort(([a],[l])=>a-l).map(([a,{id:l,fns:s}])=>{
let i=document.createElement("div"),u=document.createElement("a");return i.setAttribute("role","group"),i.setAttribute("\
aria-label",l+": "+n.findings[a]),u.href=(n.page??"")+"#finding-"+a,u.title=n.findings[a],u.textContent=l,i.append(u,...[
...s].map(h=>{let c=document.createElement("button");return c.type="button",c.title=n.funcs[h][0],c.textContent=ve(n.funcs[h][0]),
c.addEventListener("click",()=>t(h)),c})),i})}var en=[0,.01,.05];function lt(e){let n=t=>{let r=Float64Array.from(e.graph.self[t]);for(let[o,a]of e.graph.cut[t])r[o]+=
a;for(let o=e.n-1;o>0;o--)r[e.parent[o]]+=r[o];return r};e.sides=[n(0),n(1)],e.wholes=e.graph.wholes??[e.sides[0][0],e.sides[1][0]],
Ne(e)}function Ne(e){e.change=new Float64Array(e.n);let[n,t]=[e.sides,e.wholes],{diff:r,types:o}=e.graph,a=t[1]*o[1].scale;
for(let l=0;l<e.n;l++){let s=n[0][l]*o[0].scale-n[1][l]*o[1].scale,i=0;for(let u of[0,1])i+=r.sample[u]*n[u][l]*(1-n[u][l]/
t[u])*o[u].scale**2;Math.abs(s)>Math.max(2*Math.sqrt(Math.max(i,0)),r.noise*a)&&(e.change[l]=s/a)}}function rt(e){let n=0;
for(let t of en)Math.abs(e)>t&&n++;return Math.sign(e)*n}function tn(e){return(e>0?"+":"−")+te(Math.abs(e))}function ot(e){
return e===0?"":(e>0?"▲":"▼")+te(Math.abs(e)).replace(" ","")+" "}function Fe(e,n){let{types:t}=e.graph,r=e.sides[1][n]*
t[1].scale,o=e.sides[0][n]*t[0].scale,a=t[0].unit,l=o-r,s=e.wholes[1]*t[1].scale;return[G(r,a)+" "+t[1].name+", "+G(o,a)+
" "+t[0].name,e.change[n]===0?"no change beyond sampling error and noise":(l>0?"+":"")+G(l,a)+", "+tn(l/s)+" of total "+
t[1].name]}function pt(){let e=["below 1 %","1 to 5 %","above 5 %"];return[...e.map((n,t)=>ne("more"+(t+1),"▲ more, "+
n)),...e.map((n,t)=>ne("less"+(t+1),"▼ less, "+n)),ne("none","no change beyond sampling error and noise")]}function xe(e,n){return e.sides?e.sides.some(t=>t[n]>0):e.total[n]>0}function nn(e){let n=new Set;for(let t=1;t<e.n;t++)
e.parent[t]>0&&xe(e,t)&&n.add(e.fn[e.parent[t]]);return n}function dt(e){let{types:n}=e.graph,t=s=>{let{self:i,total:u}=fe(
e.sides?{...e,self:e.graph.self[s],total:e.sides[s]}:e),h=e.sides?n[s].scale:e.type.scale;return{flat:i.map(c=>c*h),cum:u.
map(c=>c*h)}},r=nn(e),o=t(0),a=e.sides?t(1):null,l=[];return o.cum.forEach((s,i)=>{let u={fn:i,path:[i],calls:r.has(i),flat:o.
flat[i],cum:s};a&&Object.assign(u,{flatChange:u.flat-a.flat[i],cumChange:s-a.cum[i]}),(s>0||a&&a.cum[i]>0)&&l.push(u)}),
l}function ht(e,n){let t=[];for(let r=n+1;r<e.end[n];r=e.end[r])xe(e,r)&&t.push(r);return t}function gt(e,n){let t=n.tree??
be(e,n.fn),{types:r}=t.graph;return ht(t,n.node??0).map(o=>{let a=i=>({flat:t.selves[i][o]*r[i].scale,cum:t.sides[i][o]*
r[i].scale}),l=t.sides?a(0):{flat:t.self[o]*t.type.scale,cum:t.total[o]*t.type.scale};if(t.sides){let i=a(1);Object.assign(
l,{flatChange:l.flat-i.flat,cumChange:l.cum-i.cum})}let s=t.fn[o];return{...l,fn:s,path:[...n.path,s],tree:t,node:o,calls:ht(
t,o).length>0}})}function Be(e,n){let t=n==="flat"?"cum":"flat",r=(o,a)=>Math.abs(o[`${a}Change`]??o[a]);return e.sort((o,a)=>r(
a,n)-r(o,n)||r(a,t)-r(o,t)||o.fn-a.fn)}function rn(e,n){return e===0?"0":(e>0?"+":"")+G(e,n)}function bt(e){let{unit:n}=e.
sides?e.graph.types[0]:e.type,t=(e.whole??e.total[0])*e.type.scale;return["flat","cum"].flatMap(r=>[[r,r==="flat"?"Flat":
"Cum",o=>G(o[r],n)],e.sides?["","change",o=>rn(o[`${r}Change`],n)]:["","share",o=>te(t?o[r]/t:0)]])}function Se(e,n){let t=[];for(let r=1;r<e.n;){if(e.fn[r]!==n){r++;continue}xe(e,r)&&t.push(r),r=e.end[r]}return t}function yt(e,n){
let t=e.sides??[],r={parent:[-1],fn:[n],self:[0],total:[0],line:[0],most:[0],sides:t.map(()=>[0]),selves:t.map(()=>[0])},
o=new Map,a=e.funcs;function l(i,u){let h=i*a+u,c=o.get(h);if(c===void 0){c=r.fn.length,o.set(h,c),r.parent.push(i),r.fn.
push(u),r.self.push(0),r.total.push(0),r.line.push(0),r.most.push(0);for(let m of[...r.sides,...r.selves])m.push(0)}return c}
function s(i,u,h=u){r.total[i]+=e.total[u],e.total[h]>r.most[i]&&(r.most[i]=e.total[h],r.line[i]=e.line[h]),r.sides.forEach(
(c,m)=>{c[i]+=t[m][u]})}return{nodes:r,step:l,add:s}}function be(e,n){let{nodes:t,step:r,add:o}=yt(e,n),a=[0];for(let l of Se(
e,n))for(let s=l;s<e.end[l];s++){let i=e.depth[s]-e.depth[l];i>0&&(a[i]=r(a[i-1],e.fn[s])),o(a[i],s),t.self[a[i]]+=e.self[s],
t.selves.forEach((u,h)=>{u[a[i]]+=e.graph.self[h][s]})}return Et(e,t)}function wt(e,n){let{nodes:t,step:r,add:o}=yt(e,n);
for(let a of Se(e,n)){let l=0;o(0,a);for(let s=e.parent[a];s>0;s=e.parent[s])l=r(l,e.fn[s]),o(l,a,s)}return Et(e,t)}function Et(e,n){
let t=n.fn.length,r=Array.from({length:t},()=>[]);for(let s=1;s<t;s++)r[n.parent[s]].push(s);let o={n:t,graph:e.graph,type:e.
type,whole:e.whole??e.total[0],funcs:e.funcs,fn:new Int32Array(t),line:new Int32Array(t),depth:new Int32Array(t),parent:new Int32Array(
t),end:new Int32Array(t),self:new Float64Array(t),total:new Float64Array(t),x:new Float64Array(t)};e.sides&&(o.sides=e.sides.
map(()=>new Float64Array(t)),o.selves=e.sides.map(()=>new Float64Array(t)),o.wholes=e.wholes);let a=[[0,-1,0,0]],l=0;for(;a.
length;){let[s,i,u,h]=a.pop(),c=l++;o.fn[c]=n.fn[s],o.parent[c]=i,o.depth[c]=u,o.x[c]=h,o.self[c]=n.self[s],o.total[c]=n.
total[s],o.line[c]=n.line[s],o.sides?.forEach((S,C)=>{S[c]=n.sides[C][s]}),o.selves?.forEach((S,C)=>{S[c]=n.selves[C][s]});
let m=r[s].sort((S,C)=>n.total[C]-n.total[S]||n.fn[S]-n.fn[C]),y=h;for(let S of m)y+=n.total[S];for(let S of m.reverse())
y-=n.total[S],a.push([S,c,u+1,y])}return ke(o),o.sides&&Ne(o),o}function fe(e){let n=new Float64Array(e.funcs),t=new Float64Array(
e.funcs),r=new Int32Array(e.funcs),o=[];for(let a=1;a<e.n;a++){for(;o.length>=e.depth[a];)r[o.pop()]--;let l=e.fn[a];n[l]+=
e.self[a],r[l]===0&&(t[l]+=e.total[a]),r[l]++,o.push(l)}return{self:n,total:t}}function Oe(e,n=e.keys()){let t=-1;for(let r of n)
e[r]>(t<0?0:e[t])&&(t=r);return t}function xt(e,n){let t=n.toLowerCase().split("|").map(l=>l.trim()).filter(Boolean);if(!t.length)return null;let r=l=>t.some(
s=>l.includes(s)),o=(e.files??[]).map(l=>r(l.toLowerCase())),a=new Set;return e.funcs.forEach(([l,s],i)=>{(r(l.toLowerCase())||
o[s])&&a.add(i)}),a}function on(e,n){let t=new Uint8Array(e.n);for(let r=1;r<e.n;r++)t[r]=t[e.parent[r]]||n.has(e.fn[r])?
1:0;return t}function St(e,{focus:n,ignore:t,from:r}){let[o,a,l]=[n,t,r].map(h=>h&&on(e,h)),s=h=>(!o||o[h])&&!(a&&a[h])&&
(!l||l[h]),i=(h,c)=>h.reduce((m,y)=>m+y,0)+e.graph.cut[c].reduce((m,[,y])=>m+y,0),u={...e.graph,wholes:e.graph.self.map(
i),lines:{fn:[],line:[],self:[],total:[]},self:e.graph.self.map(h=>h.map((c,m)=>s(m)?c:0)),cut:e.graph.cut.map(h=>h.filter(
([c])=>s(c)))};return we(l?sn(e,u,l):u,e.funcs)}function sn(e,n,t){let r=[{depth:0,children:new Map}],o=new Int32Array(e.
n);for(let s=1;s<e.n;s++){if(!t[s])continue;let i=r[o[e.parent[s]]];i.children.has(e.fn[s])||(i.children.set(e.fn[s],r.length),
r.push({fn:e.fn[s],line:e.line[s],depth:i.depth+1,children:new Map})),o[s]=i.children.get(e.fn[s])}let a=s=>{let i=new Array(
r.length).fill(0);return s.forEach((u,h)=>{i[o[h]]+=u}),i},l=n.cut.map(s=>s.map(([i,u])=>[o[i],u]));return an({...n,self:n.
self.map(a),cut:l},r)}function an(e,n){let t=[...e.self[e.default]];for(let[s,i]of e.cut[e.default])t[s]+=i;for(let s=n.
length-1;s>=0;s--)for(let i of n[s].children.values())t[s]+=t[i];let r=[],o=[0];for(;o.length;){let s=o.pop();r.push(s);
for(let i of[...n[s].children.values()].sort((u,h)=>t[u]-t[h]))o.push(i)}let a=new Int32Array(n.length);r.forEach((s,i)=>{
a[s]=i});let l=r.slice(1);return{...e,fn:l.map(s=>n[s].fn),line:l.map(s=>n[s].line),up:l.map((s,i)=>n[r[i]].depth+1-n[s].
depth),self:e.self.map(s=>r.map(i=>s[i])),cut:e.cut.map(s=>s.map(([i,u])=>[a[i],u]))}}function qe(e,n){if(e.hashes)return e.
hashes;let t=ze(n);e.hashes=new Uint32Array(e.n);for(let r=1;r<e.n;r++)e.hashes[r]=Ke(e.hashes[e.parent[r]],t[e.fn[r]],e.
depth[r]);return e.hashes}function ze(e){return e.hashes??=e.funcs.map(([n])=>{let t=2166136261;for(let r=0;r<n.length;r++)
t=Math.imul(t^n.charCodeAt(r),16777619);return t}),e.hashes}function Ke(e,n,t){return Math.imul(e^e>>>15^n,739982445)+t}
function Ue(e,n,t){return t?Math.max(qe(e,n).indexOf(t),0):0}function ln(e,n,t){let r=e.graph.lines,o=[];if(r.fn?.forEach((s,i)=>{s===t&&o.push({line:r.line[i],self:r.self[n][i],total:r.
total[n][i]})}),o.length)return{rows:o,exact:!0};let a=new Map,l=s=>(a.has(s)||a.set(s,{line:s,self:0,total:0}),a.get(s));
for(let s of Se(e,t))l(e.line[s]).total+=e.total[s];for(let s=1;s<e.n;s++)e.fn[s]===t&&(l(e.line[s]).self+=e.self[s]);return{
rows:[...a.values()].sort((s,i)=>s.line-i.line),exact:!1}}function W(e,n,t){let r=document.createElement(e);return r.append(
n),t&&(r.className=t),r}function cn(e){let n="http://www.w3.org/2000/svg",t=document.createElementNS(n,"svg");t.setAttribute(
"class","share"),t.setAttribute("viewBox","0 0 100 6"),t.setAttribute("preserveAspectRatio","none"),t.setAttribute("aria\
-hidden","true");for(let[r,o]of[["track",100],["fill",Math.min(100*e,100)]]){let a=document.createElementNS(n,"rect");a.
setAttribute("class",r),a.setAttribute("width",String(o)),a.setAttribute("height","6"),t.append(a)}return t}function Tt(e,n,t,r){
let o=e.tree,{rows:a,exact:l}=ln(o,t,r),s=document.createElement("table"),i=document.createElement("tr");for(let[m,y]of[
["Line","num"],["Self","num"],["Share","num"],["With callees","num"],["Share","num"],["",""]]){let S=W(m?"th":"td",m,y);
m&&(S.scope="col"),i.append(S)}let u=document.createElement("tbody"),h=o.whole??o.total[0];for(let m of a){let y=document.
createElement("tr"),S=Re(n,r,m.line),C=W("th",S?He(S,String(m.line)):m.line?String(m.line):"–","num");C.scope="row",y.
append(C,W("td",le(e,m.self),"num"),W("td",Q(e,m.self),"num"),W("td",le(e,m.total),"num"),W("td",Q(e,m.total),"num"),W("\
td",cn(h?m.total/h:0),"barcell")),u.append(y)}if(s.append(W("thead",i),u),l)return[s];let c=W("p","The page has every li\
ne only for the heaviest functions. In this function, each frame counts at its heaviest line.","note");return[s,c]}var _=(()=>{let e={width:0,height:0,top:0,match:null,marks:new Map},n=[],t=[],r=[],o,a,l,s,i,u,h,c=0,m=0,y="graph",S=!1,
C=!0,k=-1,A=[],O=0,j=null,q=()=>{};function D(f){return a.querySelector(f)}function $(f,g={}){return{tree:f,zoom:0,base:0,
dir:1,from:0,hover:-1,selected:-1,...g}}function Y(){return[$(n[c],{dir:S?-1:1})]}function w(f=O){return{...e,...A[f]}}function x(){
performance.clearMeasures("flame");let f=performance.now();if(e.width=l.clientWidth,!e.width)return;let g=tt(A,e.width)*
K,b=parseFloat(getComputedStyle(l).maxHeight)||g;e.height=Math.min(g,b),D(".spacer").style.height=g-e.height+"px",C&&(l.
scrollTop=S&&y==="graph"?g:0),C=!1,e.top=Math.min(l.scrollTop,g-e.height);let L=devicePixelRatio||1,[P,ee]=[Math.round(e.
width*L),Math.round(e.height*L)];(s.width!==P||s.height!==ee)&&(s.width=P,s.height=ee,s.style.width=e.width+"px",s.style.
height=e.height+"px"),i.setTransform(L,0,0,L,0,0),i.clearRect(0,0,e.width,e.height),A.forEach((gn,Wt)=>nt(i,w(Wt),o)),performance.
measure("flame",{start:f,end:performance.now()})}function T(){h.replaceChildren(...ct(w(),o)),y==="lines"&&k>=0&&D(".lin\
es").replaceChildren(...Tt(J(),o,m,k))}function M(f){A[0].zoom=f,C||=S,x(),T(),q(!0)}function v(f,g){for(let P of A)P.selected=
-1;O=f;let b=A[f];b.selected=g;let L=b.base+b.dir*b.tree.depth[g]*K;(L<l.scrollTop||L+K>l.scrollTop+e.height)&&(l.scrollTop=
L-e.height/2),x(),T(),q(!1)}function I(f){e.match=xt(o,f),y!=="graph"&&V(),x(),T(),q(!1)}function U(){for(let f of A)f.selected=
-1;A[0].zoom=0,O=0,D("input").value="",C=!0,q(!0),I("")}function B(f){m=f;let g=n[c];if(Ce(g,f),y==="graph"){let b=A[0];
for(;b.zoom>0&&g.total[b.zoom]===0;)b.zoom=g.parent[b.zoom]}else H(k);D(".types select").value=String(f),D(".legend").replaceChildren(
...ft({...e,tree:g},o)),x(),T(),q(!0)}function p(f){c=f;let g=o.graphs[f];t[f]??=we(g,o.funcs.length),n[f]??=j?St(t[f],j):
t[f],r.length=0,A=Y(),O=0,C=!0,a.querySelectorAll(".tabs button").forEach((L,P)=>{L.setAttribute("aria-selected",String(
P===f)),L.tabIndex=P===f?0:-1}),D(".types select").replaceChildren(...g.types.map((L,P)=>new Option(L.name,String(P),!1,
P===g.default))),D(".types").hidden=g.types.length<2,D(".marks").replaceChildren(...mt(w(),o,ie)),Ce(n[f],g.default),y!==
"graph"&&(k=d()),B(g.default)}function d(){let{self:f,total:g}=fe(n[c]);return k>=0&&g[k]>0?k:Math.max(Oe(f),0)}function E(f){
let g=A[O];g.selected>=0&&g.tree.fn[g.selected]>=0&&(k=g.tree.fn[g.selected]),y=f,r.length=0;for(let b of a.querySelectorAll(
".modes button"))b.setAttribute("aria-pressed",String(b.dataset.mode===y));a.dataset.mode=y,D(".function").hidden=y==="g\
raph",D(".lines").hidden=y!=="lines",l.hidden=y==="lines",D(".legend").hidden=y==="lines",D("[data-up]").disabled=y!=="g\
raph",C=!0,y==="graph"?(A=Y(),O=0):H(d()),x(),T(),q(!0)}function R(){if(y!=="graph")return;F(!S);let f=A[0];C=!0,x(),q(!0),
f.selected>=0&&v(0,f.selected),T()}function F(f){S=f,D("[data-up]").setAttribute("aria-pressed",String(S)),y==="graph"&&
(A[0].dir=S?-1:1)}function H(f){k=f;let g=n[c];O=0,A=y==="sandwich"?[$(be(g,f),{selected:0}),$(wt(g,f),{dir:-1,from:1})]:
[$(be(g,f),{selected:0})],V(),y==="sandwich"&&(e.width=l.clientWidth,x(),l.scrollTop=Math.max(0,A[0].base-e.height/2))}function z(f){
f<0||f===k||(r.push(k),H(f),x(),T(),q(!0))}function V(){let{self:f,total:g}=fe(n[c]),b=[...g.keys()].filter(P=>g[P]>0&&(!e.
match||e.match.has(P))).sort((P,ee)=>g[ee]-g[P]||f[ee]-f[P]).slice(0,300);b.includes(k)||b.unshift(k);let L=P=>Q(J(),g[P])+
"  "+ae(o,P);D(".function select").replaceChildren(...b.map(P=>new Option(L(P),String(P),!1,P===k)))}function J(){return{
...e,tree:n[c]}}function ie(...f){if(y!=="graph"){z(f.at(-1));return}let g=n[c],b=at(g,f);if(b<0)return;let L=b;for(;L>0&&
g.total[b]/g.total[L]>.12;)L=g.parent[L];A[0].zoom=L,C||=S,x(),q(!0),v(0,b)}function Rt(){let{tree:f,zoom:g,selected:b}=A[0],
L=b<0?g:b,P=()=>v(0,b<0?g:Ee(f,L)),ee=()=>{f.parent[L]<0||(L===g&&M(f.parent[L]),v(0,f.parent[L]))};return{ArrowDown:S?ee:
P,ArrowUp:S?P:ee,u:R,ArrowLeft:()=>{L!==g&&v(0,ge(f,L,-1))},ArrowRight:()=>{L!==g&&v(0,ge(f,L,1))},Enter:()=>M(L),Escape:()=>{
g>0?M(f.parent[g]):U()},Home:U}}function Ht(){let{tree:f,selected:g}=A[O],b=Math.max(g,0),L=()=>v(O,Ee(f,b)),P=()=>v(f.parent[b]>
0?O:0,Math.max(f.parent[b],0));return{ArrowDown:O===0?L:P,ArrowUp:()=>{O===1?L():b>0?P():A[1].tree.n>1&&v(1,Ee(A[1].tree,
0))},ArrowLeft:()=>v(O,ge(f,b,-1)),ArrowRight:()=>v(O,ge(f,b,1)),Enter:()=>z(f.fn[b]),Escape:()=>Pt(),Home:()=>v(0,0)}}function Pt(){
r.length?(H(r.pop()),x(),T(),q(!0)):E("graph")}function Ge(f){let g=y==="graph"?Rt():Ht();!g[f.key]||f.ctrlKey||f.metaKey||
f.altKey||(f.preventDefault(),g[f.key]())}function It(){s.addEventListener("pointermove",f=>{let[g,b]=Ae(A,e,f.offsetX,f.
offsetY);A.some((L,P)=>L.hover!==(P===g?b:-1))&&(A.forEach((L,P)=>{L.hover=P===g?b:-1}),x()),f.pointerType==="mouse"&&De(
u,b<0?null:Ie(w(g),o,b),f.clientX,f.clientY)}),s.addEventListener("pointerleave",()=>{for(let f of A)f.hover=-1;De(u,null),
x()}),s.addEventListener("click",f=>{let[g,b]=Ae(A,e,f.offsetX,f.offsetY);if(!(b<0)){if(y==="sandwich"){z(A[g].tree.fn[b]);
return}A[0].selected=b,M(b)}})}function Dt(){let f=D(".tabs");f.replaceChildren(...o.graphs.map((g,b)=>ut(g.title,()=>p(
b)))),f.addEventListener("keydown",g=>{let b={ArrowRight:1,ArrowLeft:-1}[g.key];b&&(p((c+b+o.graphs.length)%o.graphs.length),
f.children[c].focus())})}function Ft(f,g){if(a=document.getElementById("flame"),!(!a||!f.graphs?.length)){o=f,l=D(".stag\
e"),s=l.querySelector("canvas"),i=s.getContext("2d"),u=D(".tip"),h=D(".status");for(let b of o.marks??[]){let L=e.marks.
get(b.fn)??[];e.marks.set(b.fn,L.includes(b.id)?L:[...L,b.id])}Dt(),It(),l.addEventListener("keydown",Ge),l.addEventListener(
"scroll",x);for(let b of a.querySelectorAll(".modes button"))b.addEventListener("click",()=>E(b.dataset.mode));D(".types\
 select").addEventListener("change",b=>B(Number(b.target.value))),D(".function select").addEventListener("change",b=>z(Number(
b.target.value))),D("input").addEventListener("input",b=>I(b.target.value)),D("input").addEventListener("keydown",Nt),D(
".reset").addEventListener("click",U),D("[data-up]").addEventListener("click",R),p(o.marks?.[0]?.graph??0),g&&(q=g),new ResizeObserver(
x).observe(a),N.onChange(x)}}function Nt(f){if(f.key!=="Enter"||!e.match?.size)return;let{total:g}=fe(n[c]),b=Oe(g,e.match);
b>=0&&ie(b)}function Bt(f){let g=o.marks[f];y!=="graph"&&E("graph"),c!==g.graph&&p(g.graph),ie(g.fn),a.scrollIntoView({block:"\
start"}),l.focus({preventScroll:!0})}function Ot(f){c!==f&&p(f),l.focus({preventScroll:!0})}function qt(){let{zoom:f,selected:g}=A[0],
b=L=>y==="graph"&&L>0?qe(n[c],o)[L]:0;return{graph:c,type:o.graphs[c].types[m].name,view:y,zoom:b(f),at:b(g),up:S?"1":"",
fn:y==="graph"?"":o.funcs[k]?.[0]??"",find:D("input").value}}function zt(f){let g=q;q=()=>{},j=f.filter,n.length=0,F(f.up===
"1"),p(Math.min(f.graph,o.graphs.length-1)),y!=="graph"&&E("graph");let b=o.graphs[c].types.findIndex(L=>L.name===f.type);
if(b>=0&&b!==m&&B(b),D("input").value=f.find,I(f.find),f.view==="sandwich"||f.view==="lines")k=o.funcs.findIndex(([L])=>L===
f.fn),E(f.view);else{A[0].zoom=Ue(n[c],o,f.zoom),x();let L=Ue(n[c],o,f.at);L>0?v(0,L):T()}q=g}function Kt(){return{tree:n[c],
column:m,match:e.match}}function Ut(){let f=A[O];return f.selected>0||y!=="graph"&&f.selected===0?ue(w(),o,f.selected):""}
return{start:Ft,showMark:Bt,showGraph:Ot,reset:U,turn:R,state:qt,restore:zt,shownFunctions:Kt,selectedName:Ut,jump:ie,keys:Ge}})();var Mt=[["graph","graph"],["type","type"],["view","view"],["fn","fn"],["up","up"],["zoom","zoom"],["at","at"],["q","find"]];
function Lt(){let e=_.state();return{write:n=>{let t=_.state();for(let[r,o]of Mt)t[o]!==e[o]&&n.set(r,String(t[o]))},read:n=>{
let t=(r,o)=>Number(n.get(r)??o)||0;_.restore({graph:Math.max(0,Math.trunc(t("graph",e.graph))),type:n.get("type")??e.type,
view:n.get("view")??e.view,fn:n.get("fn")??"",up:n.get("up")??"",zoom:t("zoom",0),at:t("at",0),find:n.get("q")??"",filter:null})}}}
var vt=e=>Mt.some(([n])=>e.has(n));var me=(()=>{let e=[],n="",t=!1,r=!1,o=()=>{};function a(){let u=new URLSearchParams;for(let h of e)h.write(u);return u.
size?"#~"+u.toString().replaceAll("%2C",","):""}function l(u){r||=u,!t&&(t=!0,queueMicrotask(()=>{let h=a();if(h!==n){let c=new URL(
location.href);c.hash=h,r?history.pushState({view:h},"",c):history.replaceState({view:h},"",c),n=h}t=r=!1}))}function s(){
let u=location.hash&&!location.hash.startsWith("#~")?location.hash.slice(1):"",h=history.state?.view;if(u&&typeof h!="st\
ring"){o(u),n=a(),history.replaceState({view:n},"");return}let c=u?String(h):location.hash;if(c===n)return;let m=new URLSearchParams(
c.slice(2));for(let y of e)y.read(m);n=a()}function i(u,h){return e=u,h&&(o=h),addEventListener("popstate",s),addEventListener(
"hashchange",s),s(),new URLSearchParams(n.slice(2))}return{start:i,changed:l}})();var un=50,Te=(()=>{let e=new Map,n=new Map,t=!1;function r(s){if(s.id)return s.id;let i=s.closest("[id]")??document.body,
u=[...i.querySelectorAll("details:not([id])")].filter(h=>(h.closest("[id]")??document.body)===i);return i.id+"."+u.indexOf(
s)}function o(s=me.changed){for(let u of document.querySelectorAll("details"))e.set(u,u.open),n.set(r(u),u);document.addEventListener(
"toggle",()=>{t||s(!0)},!0);let i=[];addEventListener("beforeprint",()=>{t=!0,i=[...document.querySelectorAll("details.f\
inding:not([open])")];for(let u of i)u.open=!0}),addEventListener("afterprint",()=>{for(let u of i)u.open=!1;t=!1})}let a={
write:s=>{let i=[...n].filter(([,u])=>u.open!==e.get(u));for(let[u,h]of[["unfold",!0],["fold",!1]]){let c=i.filter(([,m])=>m.
open===h).map(([m])=>m).slice(0,un);c.length&&s.set(u,c.join(","))}},read:s=>{let i=c=>new Set((s.get(c)??"").split(",")),
u=i("unfold"),h=i("fold");for(let[c,m]of n)m.open=u.has(c)||e.get(m)&&!h.has(c)}};function l(s){let i=document.getElementById(
s),u=i?.closest("details");!u||u.open||(u.open=!0,i.scrollIntoView())}return{start:o,part:a,follow:l}})();var fn=50;function mn(e,n,t,{shown:r,show:o,changed:a}){let l=new Set,s=new WeakMap,i="flat",u=30,h=[],c,m;function y(){
let p=r(),d=[p.tree,p.column,p.match,i,u];if(d.every((H,z)=>H===h[z]))return;h=d,c=p.tree,m=bt(c);let E=s.get(Y(document.
activeElement))?.key,R=Be(dt(c).filter(H=>!p.match||p.match.has(H.fn)),i);e.replaceChildren(...R.length?S(R):[W("p","No \
function matches.","empty")]);let F=$();F.length&&(F[0].tabIndex=0),E!==void 0&&w(F.find(H=>s.get(H).key===E)??F[0])}function S(p){
let d=Z("table","treegrid","cards functions");d.setAttribute("aria-label","Functions"),d.setAttribute("aria-describedby",
"functions-how");let E=Z("thead","rowgroup");E.append(C());let R=Z("tbody","rowgroup");if(R.append(...p.slice(0,u).flatMap(
(H,z)=>k(H,z,p.length))),d.append(E,R),p.length<=u)return[d];let F=W("button","Show more: "+he(p.length-u)+" functions a\
re left","quiet more");return F.type="button",F.addEventListener("click",()=>{let H=u;u+=200,a(!1),w($().filter(z=>z.ariaLevel===
"1")[H])}),[d,F]}function C(){let p=Z("tr","row"),d=Z("th","columnheader");return d.scope="col",d.append("Function"),p.append(
d,...m.map(([E,R])=>{let F=Z("th","columnheader","num");if(F.scope="col",!E)return F.append(R),F;let H=W("button",R+(E===
i?" ▾":""),"link");return H.type="button",H.dataset.sort=E,H.addEventListener("click",()=>{i=E,a(!0),e.querySelector("\
[data-sort="+E+"]")?.focus()}),E===i&&F.setAttribute("aria-sort","descending"),F.append(H),F})),p}function k(p,d,E){p.key=
pn(t,p.path);let R=Z("tr","row");return s.set(R,p),R.tabIndex=-1,R.setAttribute("aria-level",String(p.path.length)),R.setAttribute(
"aria-posinset",String(d+1)),R.setAttribute("aria-setsize",String(E)),p.calls&&R.setAttribute("aria-expanded",String(l.has(
p.key))),R.append(O(R,p),...m.map(([F,H,z],V)=>{let J=Z("td","gridcell","num");return J.append(z(p)),J.dataset.label=F?H.
toLowerCase():m[V-1][1].toLowerCase()+" "+H,J})),p.calls&&l.has(p.key)?[R,...A(p)]:[R]}function A(p){let d=Be(gt(c,p),i);
return d.flatMap((E,R)=>k(E,R,d.length))}function O(p,d){let E=Z("th","rowheader");E.scope="row";let R=W("span",d.calls?
l.has(d.key)?"▾":"▸":"","twist");R.setAttribute("aria-hidden","true"),R.addEventListener("click",()=>{d.calls&&x(p)});
let F=W("button",t.funcs[d.fn][0],"link symbol");F.type="button",F.tabIndex=-1,F.addEventListener("click",()=>o(d.path));
let H=W("div",F);H.append(W("span",[...j(d.fn),...q(d.fn)].join(" · "),"sub"));let z=W("div",R,"tree");return z.style.setProperty(
"--above",String(d.path.length-1)),z.append(H),E.append(z),E}function j(p){let[,d,E]=t.funcs[p];return E===Me?[X[E],t.files[d]]:
[X[E],...d<0?[]:[t.files[d].split("/").slice(-2).join("/")]]}function q(p){return[...new Set((t.marks??[]).filter(d=>d.fn===
p).map(d=>d.id))]}function D(p,d){let E=m.map(([,,z])=>z(d)),R=d.path.slice(0,-1).map(z=>ae(t,z)).reverse(),F=q(d.fn),H=d.
calls?p.ariaExpanded==="true"?"What it calls is open":"Right shows what it calls":"It calls nothing that was counted";return[
t.funcs[d.fn][0]+(R.length?", called by "+R.join(", by "):""),[["itself",0],["with what it calls",2]].map(([z,V])=>E[V]+
" "+z+", "+E[V+1]+(c.sides?" against the base":" of all")).join("; "),(se(t,d.fn)?"It is ":"In ")+[Pe[X[t.funcs[d.fn][2]]],
...j(d.fn).slice(1)].join(", "),...F.length?["A place of "+F.join(", ")]:[],H].join(". ")+"."}function $(){return[...e.querySelectorAll(
"tbody tr")]}function Y(p){return p&&e.contains(p)?p.closest("tbody tr"):null}function w(p){p?.focus()}function x(p){let d=s.
get(p),E=!l.delete(d.key);if(E)l.add(d.key),p.after(...A(d));else for(;Number(p.nextElementSibling?.ariaLevel)>d.path.length;)
p.nextElementSibling.remove();p.setAttribute("aria-expanded",String(E)),p.querySelector(".twist").textContent=E?"▾":"▸",
Y(document.activeElement)===p?n.textContent=D(p,d):e.querySelector('tbody tr[tabindex="0"]')||(p.tabIndex=0),a(!1)}function T(p){
let d=p.previousElementSibling;for(;d&&Number(d.ariaLevel)>=Number(p.ariaLevel);)d=d.previousElementSibling;return d}function M(p){
let d=Y(p.target);if(!d||p.ctrlKey||p.metaKey||p.altKey)return;let E=d.ariaExpanded,R={ArrowDown:()=>w(d.nextElementSibling),
ArrowUp:()=>w(d.previousElementSibling),ArrowRight:()=>{E==="true"?w(d.nextElementSibling):E&&x(d)},ArrowLeft:()=>{E==="\
true"?x(d):w(T(d))},Home:()=>w($()[0]),End:()=>w($().at(-1)),Enter:()=>o(s.get(d).path)}[p.key];R&&(p.preventDefault(),p.
stopPropagation(),R())}function v(p){let d=Y(p.target);if(!d)return;for(let R of e.querySelectorAll('tbody tr[tabindex="\
0"]'))R.tabIndex=-1;d.tabIndex=0;let E=D(d,s.get(d));n.textContent!==E&&(n.textContent=E)}e.addEventListener("keydown",M),
e.addEventListener("focusin",v);function I(){return{sort:i,open:[...l].slice(-fn).map(p=>p.toString(16)).join(".")}}function U({
sort:p,open:d}){i=p==="cum"?"cum":"flat",l.clear();for(let E of d.split("."))E&&l.add(Number.parseInt(E,16));h=[]}function B(){
let p=s.get(Y(document.activeElement));return p?t.funcs[p.fn][0]:""}return{refresh:y,state:I,restore:U,focusedName:B}}function Z(e,n,t){
let r=document.createElement(e);return r.setAttribute("role",n),t&&(r.className=t),r}function pn(e,n){let t=ze(e);return n.
reduce((r,o,a)=>Ke(r,t[o],a+1),0)>>>0}function hn(e){let n=document.querySelector(".stage");_.jump(...e),n.scrollIntoView(
{block:"center"}),n.focus({preventScroll:!0})}function At(e,n){let t=document.getElementById("functions");if(!t)return _.
start(e,n),[];let r,o=()=>{t.open&&r.refresh()},a=l=>{o(),n(l)};return r=mn(document.getElementById("function-table"),document.
getElementById("row-said"),e,{shown:_.shownFunctions,show:hn,changed:a}),_.start(e,a),t.addEventListener("toggle",o),[{write:l=>{
let{sort:s,open:i}=r.state();s!=="flat"&&l.set("sort",s),i&&l.set("rows",i)},read:l=>{r.restore({sort:l.get("sort"),open:l.
get("rows")??""}),o()}}]}var We="casebook-keys-off",kt=(()=>{let e=()=>document.querySelector(".bar.site"),n=c=>document.getElementById(c),t=0,r=!1;
function o(c){r=c;try{r?localStorage.setItem(We,"1"):localStorage.removeItem(We)}catch{}}function a(){let c=["the page: "+
document.title],m=y=>[...y].map(([S,C])=>S+" "+C).join(", ");return location.search&&c.push("what was asked for: "+m(new URLSearchParams(
location.search))),location.hash.startsWith("#~")?c.push("what you chose on it: "+m(new URLSearchParams(location.hash.slice(
2)))):location.hash&&c.push("the part: "+location.hash.slice(1)),c}function l(){document.getElementById("share-address").
textContent=location.href,document.getElementById("share-holds").replaceChildren(...a().map(y=>{let S=document.createElement(
"li");return S.textContent=y.length>300?y.slice(0,300)+"…":y,S}));let c=/^\/cases\/([^/]+)/.exec(location.pathname)?.[1],
m=(y,S)=>{document.getElementById("share-"+y).hidden=!S};m("local",["localhost","127.0.0.1","[::1]"].includes(location.hostname)),
m("kept",!!c),m("now",!c),m("file",!!c),c&&document.querySelector("#share-file a").setAttribute("href","/api/v1/cases/"+
c+"/zip"),n("share").showModal()}function s(c){document.querySelector("dialog[open]")||(c==="share"?l():n(c).showModal())}
function i(c){let m=[...document.querySelectorAll("main [data-go-row], main tbody tr")].map(C=>C.matches("a")?C:C.querySelector(
"a")).filter(C=>!!C&&C.checkVisibility());if(!m.length)return!1;let y=document.activeElement,S=m.findIndex(C=>C===y||!!C.
closest("tr")?.contains(y));return m[S<0?c>0?0:m.length-1:Math.min(Math.max(S+c,0),m.length-1)].focus(),!0}function u(c){
let m=c.key,y=Date.now()-t<1500;if(t=0,y){let S=e().querySelector('[data-go="'+CSS.escape(m)+'"]');return S&&S.click(),!!S}
switch(m){case"g":return t=Date.now(),!0;case"s":return s("share"),!0;case"?":return s(document.querySelector("#keys")?"\
keys":"sitekeys"),!0;case"j":return i(1);case"k":return i(-1);case"/":{let S=document.querySelector("main input[type=sea\
rch], header input[type=search]");return S?.focus(),!!S}}return!1}function h(){if(!e())return;try{r=localStorage.getItem(
We)==="1"}catch{}for(let m of document.querySelectorAll("[data-open]"))m.addEventListener("click",()=>s(m.dataset.open));
for(let m of document.querySelectorAll("[data-close]"))m.addEventListener("click",()=>m.closest("dialog").close());let c=document.
getElementById("single");c.checked=!r,c.addEventListener("change",()=>o(!c.checked)),document.addEventListener("keydown",
m=>{r||m.defaultPrevented||m.ctrlKey||m.metaKey||m.altKey||document.querySelector("dialog[open]")||m.target.matches("inp\
ut, select, textarea, [role=application]")&&m.key!=="?"||m.target.matches("input, textarea")||u(m)&&m.preventDefault()})}
return{start:h}})();document.documentElement.classList.add("js");N.start();kt.start();Te.start();var je=JSON.parse(document.getElementById("\
data").textContent);ce.start(je.vitals);ce.onChange(()=>me.changed(!0));var dn=At(je.flame,me.changed),Ct=me.start([...je.
flame.graphs?.length?[Lt()]:[],Qe,...dn,Te.part],Te.follow);vt(Ct)?document.getElementById("profiles")?.scrollIntoView():
Ct.has("from")&&document.getElementById("vitals")?.scrollIntoView();Je();for(let e of document.querySelectorAll("[data-m\
ark]"))e.addEventListener("click",()=>_.showMark(Number(e.dataset.mark)));for(let e of document.querySelectorAll("[data-\
graph]"))e.addEventListener("click",()=>_.showGraph(Number(e.dataset.graph)));})();

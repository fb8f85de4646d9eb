// Made of app/report/web/main.ts by `make web`.
"use strict";(()=>{var Ge=[[1099511627776," TiB",1],[1073741824," GiB",1],[1048576," MiB",1],[1024," KiB",1],[1," B",0]],Ut=[[86400," days",
2],[3600," h",2],[60," min",10],[1," s",1],[.001," ms",1],[1e-6," µs",1],[1e-9," ns",0]],Wt=[[1e12," T",1],[1e9," G",1],
[1e6," M",1],[1e3," k",0]];function _e(e){return Number(e.toPrecision(3))}function Ve(e){return e.replace(/\.?0+(e|$)/,"\
$1")}function re(e){if(e<0)return"−"+re(-e);if(e===0)return"0";if(e<5e-7)return"<0.000001";if(e>=1e15)return Ve(e.toExponential(
2));if(e>=99.95)return e.toFixed(0).replace(/\B(?=(\d{3})+$)/g,",");let n=2-Math.floor(Math.log10(_e(e))+1e-9),t=e.toFixed(
Math.min(n,6));return t.includes(".")?Ve(t):t}function jt(e){return Math.abs(e)<1?Number(e.toPrecision(2)):Math.round(10*
e)/10}function pe(e,n){if(e<0)return"−"+pe(-e,n);for(let[t,r,o]of n)if(e>0?_e(e/t)>=o:t===1)return re(e/t)+r;return re(
e)}function ye(e){return e<0?"−"+ye(-e):Math.round(e)<1e4?re(e):pe(e,Wt)}function Gt(e,n){switch(n){case"bytes":return pe(
e,Ge);case"bytes/s":return pe(e,Ge)+"/s";case"seconds":return pe(e,Ut);case"share":return re(jt(100*e))+" %";case"cores":
return re(e)==="1"?"1 core":re(e)+" cores";case"1/s":return ye(e)+"/s";case"count":case"":return ye(e)}return ye(e)+" "+
n}function G(e,n){return e==null||!Number.isFinite(e)?"–":Gt(e,n).replaceAll(" "," ")}function he(e){return G(e,"coun\
t")}function te(e){return G(e,"share")}function oe(e){let n=e<0?"−":"+",t=Math.round(Math.abs(e));if(t===0)return"0:00";
let r=i=>String(i).padStart(2,"0"),o=Math.floor(t/3600),a=Math.floor(t/60)%60;return n+(o?o+":"+r(a):a)+":"+r(t%60)}var $e=20;function Ye(e,n,t){let r=-1,o=-1;e.tabIndex=0,e.setAttribute("role","application"),e.setAttribute("aria-rolede\
scription","time line"),e.setAttribute("aria-label","Time line of all charts. Left and Right move, with Shift they choos\
e a part, Enter zooms to it, Escape resets.");function a(){let[l,c]=t.range(),h=t.times.findIndex(b=>b>=l),u=t.times.findLastIndex(
b=>b<=c);return[Math.max(h,0),u<0?t.times.length-1:u]}function i(l,c){let[h,u]=a(),b=r<0?l:r;r=Math.min(Math.max(l,h),u),
c?o<0&&(o=b):o=r,t.point(t.times[r],t.times[o]);let[T,k]=[Math.min(o,r),Math.max(o,r)].map(H=>oe(t.times[H]));n.textContent=
(T===k?"":"From "+T+" to "+k+" is chosen; Enter zooms. ")+"At "+oe(t.times[r])+": "+t.values(r)+"."}function s(l){t.zoom(
l),o=r,t.point(r<0?NaN:t.times[r],r<0?NaN:t.times[r]),n.textContent=l?"From "+oe(l[0])+" to "+oe(l[1])+" is shown. Escap\
e shows all.":"All of it is shown."}e.addEventListener("keydown",l=>{if(l.ctrlKey||l.metaKey||l.altKey)return;let[c,h]=a(),
u=r<0?Math.min(Math.max(t.times.findLastIndex(k=>k<=0),c),h):r,b=k=>()=>i(r<0?u:u+k,l.shiftKey),T={ArrowLeft:b(-1),ArrowRight:b(
1),PageUp:b(-$e),PageDown:b($e),Home:()=>i(c,l.shiftKey),End:()=>i(h,l.shiftKey),Enter:()=>{o>=0&&o!==r&&s([t.times[Math.
min(o,r)],t.times[Math.max(o,r)]])},Escape:()=>{r=-1,s(null)}}[l.key];T&&(l.preventDefault(),T())})}var N=(()=>{let e=document.documentElement,n=matchMedia("(prefers-color-scheme: dark)"),t=[],r=document.createElement("s\
pan");r.hidden=!0,document.body.append(r);let o="",a=!1,i=()=>!a&&(o?o==="dark":n.matches);function s(){e.style.colorScheme=
a?"light":o;let u=document.getElementById("theme");u.textContent=i()?"Light":"Dark";for(let b of t)b()}function l(){document.
getElementById("theme").addEventListener("click",()=>{o=i()?"light":"dark",s()}),n.addEventListener("change",s),addEventListener(
"beforeprint",()=>{a=!0,s()}),addEventListener("afterprint",()=>{a=!1,s()}),s()}function c(u){return r.style.color="var(\
--"+u+")",getComputedStyle(r).color}function h(u){return getComputedStyle(e).getPropertyValue("--"+u).trim()}return{start:l,
color:c,font:h,onChange:u=>t.push(u)}})();var ce=(()=>{let t=Array.from({length:50},(y,x)=>2**x),r=[1,2,5,10,15,30,60,120,300,600,900,1800,3600,7200,14400,43200,86400],
o=3,a=[[],[6,3],[1.5,3]],i=[],s=[],l=null,c=()=>{};function h(y,x){return y===0?"0":G(y,x).replace(/\/s$|\u00a0cores?$/,
"")}function u(y){let E={font:"11px "+N.font("sans"),stroke:()=>N.color("muted"),grid:{stroke:()=>N.color("line"),width:1},
ticks:{show:!1}};return[{...E,incrs:r,space:56,size:22,gap:4,values:(S,L)=>L.map(oe)},{...E,size:58,gap:6,space:26,...y.
startsWith("bytes")?{incrs:t}:{},values:(S,L)=>L.map(F=>h(F,y))}]}function b(y,x){let{ctx:E}=y,S=devicePixelRatio,{left:L,
top:F,width:U,height:B}=y.bbox,m=[],p=w=>w.names.size===1?[...w.names][0]:[...w.names][0]+" +"+(w.names.size-1);E.save(),
E.font=10*S+"px "+N.font("sans"),E.textBaseline="bottom",E.textAlign="left";for(let w of x){let C=y.valToPos(w.from,"x",
!0),I=Math.max(y.valToPos(w.to,"x",!0),C+1.5*S);if(I<L||C>L+U)continue;let R=Math.max(C,L),K=Math.min(I,L+U);w.start?T(E,
R,F,B):(E.fillStyle=w.to>w.from?N.color("span"):N.color("line-strong"),E.fillRect(R,F,K-R,B));let V=m[m.length-1],J=w.start?
[w.label]:w.label.split(", ");V&&R<V.x+E.measureText(p(V)+" +9").width+6*S?J.forEach(le=>V.names.add(le)):m.push({x:R,names:new Set(
J)})}E.fillStyle=N.color("muted");for(let w of m){let C=Math.max(L,Math.min(w.x,L+U-E.measureText(p(w)).width));E.fillText(
p(w),C,F-2*S)}E.restore()}function T(y,x,E,S){let L=devicePixelRatio;y.fillStyle=N.color("text");for(let F=E;F<E+S;F+=7*
L)y.fillRect(x,F,Math.max(L,1.5),Math.min(4*L,E+S-F))}function k(y,x){let E=devicePixelRatio,{left:S,top:L,width:F,height:U}=y.
bbox;y.ctx.fillStyle=N.color("muted");for(let B of x){let m=Math.max(y.valToPos(B.from,"x",!0),S),p=Math.min(y.valToPos(
B.to,"x",!0),S+F);p>S&&m<S+F&&y.ctx.fillRect(m,L+U-4*E,Math.max(p-m-(p-m>4*E?E:0),E),4*E)}}function H(y){let x=Math.round(
y.valToPos(0,"x",!0)),{left:E,top:S,width:L,height:F}=y.bbox;x<E||x>E+L||(y.ctx.fillStyle=N.color("trip"),y.ctx.fillRect(
x,S,Math.max(devicePixelRatio,1.5),F))}function v(y,x,E,S){let L=y.querySelectorAll(".sig b"),F=x.t.findLastIndex(U=>U<=
0);return F<0&&(F=0),U=>{let B=U.cursor.idx??F;E.forEach((m,p)=>{L[p].textContent=G(m.v[B],S)})}}function A(y,x){return y===
x||!!y&&!!x&&y.every((E,S)=>Math.abs(E-x[S])<=1e-6*(x[1]-x[0]))}function O(y,x){let{min:E,max:S}=y.scales.x;if(x!=="x"||
E==null||S==null)return;let L=E<=s[0]&&S>=s.at(-1)?null:[E,S];A(L,l)||(j(L),c())}function j(y){l=y;for(let{u:x}of i)z(x)}
function z(y){let[x,E]=l??[s[0],s.at(-1)];y.setScale("x",{min:x,max:E})}function D(y,x){let E=x.charts[Number(y.dataset.
chart)],S=y.querySelector(".plot"),L=v(y,x,E.series,E.unit),F=new uPlot({width:S.clientWidth,height:140,padding:[14,20,0,
0],legend:{show:!1},cursor:{sync:{key:"vitals",filters:{pub:B=>B.startsWith("mousemove")||B==="mouseleave"}},y:!1,points:{
size:5},drag:{x:!0,y:!1}},scales:{x:{time:!1},y:{range:(B,m,p)=>[Math.min(m??0,0),p>0?p*1.12:1]}},axes:u(E.unit),series:[
{},...E.series.map((B,m)=>({label:B.name,stroke:()=>N.color("s"+Math.min(m,2)),width:1.5,points:{show:!1},spanGaps:!0,dash:a[Math.
min(m,2)]}))],hooks:{drawClear:[B=>b(B,x.spans??[])],draw:[B=>k(B,x.gc??[]),H],setCursor:[L],setScale:[O]}},[x.t,...E.series.
map(B=>B.v)],S);L(F);let U=()=>[...y.querySelectorAll(".sig")].map(B=>B.textContent.trim()).join(", ");i.push({u:F,box:S,
spoken:U}),l&&z(F),i.length===1&&$(S)}function $(y){Ye(y,document.getElementById("moment"),{times:s.map(Number),zoom:x=>{
j(x),c()},range:()=>l??[s[0],s.at(-1)],values:()=>i.map(x=>x.spoken()).slice(0,o).join(", "),point:(x,E)=>{for(let{u:S}of i){
let L=S.valToPos(x,"x",!1),F=S.valToPos(E,"x",!1);S.setCursor({left:Number.isFinite(L)?L:-10,top:10},!0,!1),S.setSelect(
{left:Math.min(L,F),top:0,width:Math.abs(L-F)||0,height:S.over.clientHeight},!1)}}})}function Y(y){if(!y.charts?.length)
return;s=y.t;let x=new Set(document.querySelectorAll("[data-chart]")),E=new ResizeObserver(()=>{for(let S of x)S.clientWidth>
0&&(x.delete(S),D(S,y));for(let{u:S,box:L}of i)L.clientWidth>0&&L.clientWidth!==S.width&&S.setSize({width:L.clientWidth,
height:140})});document.querySelectorAll(".charts").forEach(S=>E.observe(S)),N.onChange(()=>i.forEach(({u:S})=>S.redraw(
!1,!0)))}return{start:Y,show:j,range:()=>l,onChange:y=>{c=y}}})();var Xe={write:e=>{let n=ce.range();n&&["from","to"].forEach((t,r)=>e.set(t,String(Math.round(n[r]*1e3)/1e3)))},read:e=>{
let[n,t]=["from","to"].map(r=>Number(e.get(r))||0);ce.show(e.has("from")&&n<t?[n,t]:null)}};function Qe(){for(let e of document.querySelectorAll("[data-copy]"))e.addEventListener("click",async()=>{let n=document.
getElementById(e.dataset.copy);try{await navigator.clipboard.writeText(n.textContent),e.textContent="Copied"}catch{getSelection().
selectAllChildren(n),e.textContent="Selected"}})}var X=["user","dependency","std","runtime","label"],Me=X.indexOf("label"),Le="↳ ",q=19,Ze=.5,de=4;function Vt(){return{
owner:X.map(e=>N.color("f-"+e)),text:N.color("f-text"),rest:N.color("f-rest"),match:N.color("f-match"),mark:N.color("f-m\
ark"),markText:N.color("f-mark-text"),more:[1,2,3].map(e=>N.color("f-more"+e)),less:[1,2,3].map(e=>N.color("f-less"+e)),
none:N.color("f-none"),ground:N.color("raised"),focus:N.color("text"),muted:N.color("muted")}}function Ae(e){let n=e.search(
/[[(]/);return e.slice(e.lastIndexOf("/",n<0?e.length:n)+1)}function se(e,n){return n>=0&&e.funcs[n][2]===Me}function ae(e,n){
return se(e,n)?e.funcs[n][0]:Ae(e.funcs[n][0])}function _t(e,n,t){let r=e.depth[n];for(let o=n;o<e.end[n];){if(e.total[o]*
t<Ze){o=e.end[o];continue}e.depth[o]>r&&(r=e.depth[o]),o++}return r+1}function et(e,n){let t=e.map(({tree:o,zoom:a})=>_t(
o,a,o.total[a]>0?n/o.total[a]:0));if(e.length===1){let o=Math.max(t[0],3);return e[0].base=e[0].dir>0?0:(o-1)*q,o}let r=t[1]-
1;for(let o of e)o.base=r*q;return Math.max(r+t[0],3)}function ve(e,n,t,r){let o=Math.floor((r+n.top-e[0].base)/q),a=o<0&&
e.length>1?1:0,{tree:i,zoom:s,dir:l}=e[a];if(o*l<0)return[a,-1];let c=Math.abs(o);if(c<i.depth[s]){let u=s;for(;u>=0&&i.
depth[u]>c;)u=i.parent[u];return[a,u]}let h=i.x[s]+t/n.width*i.total[s];for(let u=s;u<i.end[s];){if(h<i.x[u]||h>=i.x[u]+
i.total[u]){u=i.end[u];continue}if(i.depth[u]===c)return[a,u];u++}return[a,-1]}function tt(e,n,t){let{tree:r,zoom:o,width:a,
height:i,top:s,base:l,dir:c,from:h}=n,u=Vt(),b=r.total[o]>0?a/r.total[o]:0,T=new Float64Array(4096).fill(-1);e.font="11.\
5px "+N.font("mono"),e.textBaseline="middle";let k=e.measureText("m").width,H={ctx:e,c:u,glyph:k,view:n,data:t,t:r};for(let v=r.
parent[o];v>=0;v=r.parent[v])Je(H,v,0,l+c*r.depth[v]*q-s,a,!0);for(let v=o;v<r.end[o];){let A=l+c*r.depth[v]*q-s,O=r.total[v]*
b;if((c>0?A>i:A<-q)||O===0){v=r.end[v];continue}if(r.depth[v]<h){v++;continue}let j=(r.x[v]-r.x[o])*b;if(O<Ze){let z=Math.
floor(j);A>-q&&A<i&&T[r.depth[v]]<z&&(e.fillStyle=u.rest,e.fillRect(z,A,1,q-1),T[r.depth[v]]=z),v=r.end[v];continue}A>-q&&
A<i&&Je(H,v,j,A,O,!1),v++}}function $t(e,n,t,r){if(!n.change)return r<0?e.rest:e.owner[r];let o=nt(n.change[t]);return o>
0?e.more[o-1]:o<0?e.less[-o-1]:e.none}function Je({ctx:e,c:n,glyph:t,view:r,data:o,t:a},i,s,l,c,h){let u=a.fn[i],b=u<0?-1:
o.funcs[u][2],T=r.match&&u>=0&&r.match.has(u),k=h||r.match&&!T;e.globalAlpha=k?.4:a.change?1:[1,.86,.93][u<0?0:u%3],e.fillStyle=
T?n.match:$t(n,a,i,b);let H=c>3?1:0;e.fillRect(s,l,c-H,q-1),T&&(e.fillStyle=n.text,e.fillRect(s,l+q-3,c-H,2)),e.globalAlpha=
h?.75:1;let v=s+de,A=u<0?void 0:r.marks.get(u);A&&(v=Yt(e,n,A,s,l,c-H,t));let O=a.change?rt(a.change[i]):"",j=a.line[i]<
0?Le:"";Xt(e,O+j+(u<0?"all":ae(o,u)),n.text,v,l,s+c-de,t),e.globalAlpha=1,(i===r.selected||i===r.hover)&&(e.strokeStyle=
n.focus,e.lineWidth=i===r.selected?2:1,e.strokeRect(s+1,l+1,Math.max(c-H-2,1),q-3))}function Yt(e,n,t,r,o,a,i){if(e.fillStyle=
n.mark,a<5)return e.fillRect(r,o,a,q-1),r+de;e.strokeStyle=n.mark,e.lineWidth=2,e.strokeRect(r+1,o+1,a-2,q-3);let s=t.join(
" "),l=s.length*i+8;return l>a?r+de:(e.fillRect(r,o,l,q-1),e.fillStyle=n.markText,e.fillText(s,r+4,o+q/2),r+l+de)}function Xt(e,n,t,r,o,a,i){
let s=Math.floor((a-Math.max(r,0))/i);s<2||(e.fillStyle=t,e.fillText(n.length<=s?n:n.slice(0,s-1)+"…",Math.max(r,0),o+
q/2))}function we(e,n){let t=(e.fn??[]).length+1,r={n:t,graph:e,funcs:n,fn:new Int32Array(t),line:new Int32Array(t),depth:new Int32Array(
t),parent:new Int32Array(t),end:new Int32Array(t),self:new Float64Array(t),total:new Float64Array(t),x:new Float64Array(
t)};r.fn[0]=-1,r.parent[0]=-1;for(let o=1;o<t;o++){r.fn[o]=e.fn[o-1],r.line[o]=e.line[o-1];let a=o-1;for(let i=e.up[o-1];i>
0;i--)a=r.parent[a];r.parent[o]=a,r.depth[o]=r.depth[a]+1}return ke(r),r}function ke(e){for(let n=e.n-1;n>=0;n--)e.end[n]=
Math.max(e.end[n],n+1),n>0&&(e.end[e.parent[n]]=Math.max(e.end[e.parent[n]],e.end[n]))}function Ce(e,n){let{self:t,total:r,
x:o,parent:a,n:i}=e;t.set(e.graph.self[n]),r.set(e.graph.self[n]);for(let[l,c]of e.graph.cut[n])r[l]+=c;for(let l=i-1;l>
0;l--)r[a[l]]+=r[l];let s=new Float64Array(i);for(let l=1;l<i;l++){let c=a[l];o[l]=o[c]+s[c],s[c]+=r[l]}e.type=e.graph.types[n],
e.whole=e.graph.wholes?.[n],e.graph.diff&&!e.change&&at(e)}function ot(e,n){let t=0,r=0,o=0;for(let a=1;a<e.n;a++)n(e.fn[a])&&
(e.total[a]>0&&t++,a>=o&&(r+=e.total[a],o=e.end[a]));return{frames:t,sum:r}}function st(e,n){let t=n.length-1,r=-1;for(let o=1;o<
e.n;o++){if(e.fn[o]!==n[t]||r>=0&&e.total[o]<=e.total[r])continue;let a=t;for(let i=e.parent[o];a>0&&i>0&&e.fn[i]===n[a-
1];i=e.parent[i])a--;a===0&&(r=o)}return r}function ge(e,n,t){let r=e.parent[n];if(r<0)return n;let o=n,a=!1;for(let i=r+
1;i<e.end[r];i=e.end[i])if(e.total[i]!==0){if(t>0&&a)return i;if(i===n){if(t<0)return o;a=!0}o=i}return n}function xe(e,n){
let t=n;for(let r=n+1;r<e.end[n];r=e.end[r])e.total[r]>0&&(t===n||e.total[r]>e.total[t])&&(t=r);return t}function ue({tree:e},n,t){return e.fn[t]<0?"all":n.funcs[e.fn[t]][0]}function Qt({tree:e},n,t){let r=e.fn[t]<0?-1:n.funcs[e.
fn[t]][1];return r<0?"":n.files[r]+(e.line[t]?":"+Math.abs(e.line[t]):"")}function ie({tree:e},n){return G(n*e.type.scale,
e.type.unit)}function Q({tree:e},n){let t=e.whole??e.total[0];return te(t?n/t:0)}function Re(e,n,t){let[r,o]=e.links?.[e.
funcs[n]?.[1]]??[-1,""];return r<0?"":e.folders[r]+o.replace("{}",String(Math.max(t,1)))}function Pe(e,n){let t=document.
createElement("a");return t.href=e,t.rel="noopener noreferrer",t.textContent=n,t}var He={user:"your code",dependency:"a \
dependency",std:"the standard library",runtime:"the runtime",label:"the value of a label"};function it(e,n,t){let r=e.tree.
fn[t],o=e.tree.line[t]<0?"inlined":"";return r<0?"":[He[X[n.funcs[r][2]]],Qt(e,n,t),o].filter(Boolean).join(" · ")}function Fe(e,n,t){
let r=e.tree,o=r.change?[ue(e,n,t),it(e,n,t),...Ie(r,t)]:[ue(e,n,t),it(e,n,t),ie(e,r.total[t])+" total, "+Q(e,r.total[t])+
" · "+ie(e,r.self[t])+" self, "+Q(e,r.self[t])],a=r.parent[t];a>0&&r.total[a]>0&&o.push(te(r.total[t]/r.total[a])+" of "+
ae(n,r.fn[a]));let i=(n.marks??[]).filter(s=>s.fn===r.fn[t]);return{lines:o,findings:[...new Set(i.map(s=>s.id+": "+n.findings[s.
finding]))]}}function De(e,n,t=0,r=0){if(e.hidden=!n,!n)return;let{lines:o,findings:a}=n;e.replaceChildren(...[...o,...a].
map((s,l)=>{let c=document.createElement("div");return c.textContent=s,l>=o.length&&(c.className="finding-line"),c}));let i=e.
getBoundingClientRect();e.style.left=Math.max(8,Math.min(t+14,innerWidth-i.width-8))+"px",e.style.top=(r+18+i.height>innerHeight?
Math.max(8,r-i.height-12):r+18)+"px"}function lt(e,n){let t=e.tree,r=[],{match:o}=e;if(o){let a=ot(t,i=>o.has(i));r.push(
a.frames?["Found ",Q(e,a.sum)," ("+ie(e,a.sum)+") in "+he(a.frames)+" frames"]:["Found ","nothing",""])}if(e.selected>=0){
let a=Fe(e,n,e.selected);r.push(["",a.lines[0]," "+[...a.lines.slice(1,t.change?4:3),...a.findings].filter(Boolean).join(
" · "),Re(n,t.fn[e.selected],Math.abs(t.line[e.selected]))])}else if(!e.match){let a=e.zoom?" in "+ue(e,n,e.zoom):"";t.
change?r.push(["",ue(e,n,e.zoom),": "+Ie(t,e.zoom).join(" · ")]):r.push(["",ie(e,t.total[e.zoom]),(t.whole?" ("+Q(e,t.total[e.
zoom])+")":"")+" of "+t.type.name+a+", "+he(t.n-1)+" frames"])}return r.map(([a,i,s,l])=>{let c=document.createElement("\
span"),h=document.createElement("b");return h.textContent=i,c.append(a,h,s),l&&c.append(" · ",Pe(l,"source")),c})}function ct(e,n){
let t=document.createElement("button");return t.type="button",t.setAttribute("role","tab"),t.textContent=e,t.addEventListener(
"click",n),t}function ne(e,n){let t=document.createElement("span"),r=document.createElement("span");return r.className="\
key "+e,t.append(r,n),t}function ut(e,n){let t=e.tree;if(t.change)return mt();let r={user:"your code",dependency:"depend\
encies",std:"standard library",runtime:"runtime"},o=new Float64Array(X.length);for(let i=1;i<t.n;i++){let s=i;for(;se(n,
t.fn[s])&&t.parent[s]>0;)s=t.parent[s];se(n,t.fn[s])||(o[n.funcs[t.fn[s]][2]]+=t.self[i])}let a=X.flatMap((i,s)=>o[s]>0?
[ne(i,r[i]+" "+Q(e,o[s]))]:[]);return t.fn.some(i=>se(n,i))&&a.push(ne("label","value of a label")),t.line.some(i=>i<0)&&
a.push(ne("inlined",Le+"inlined by the compiler")),t.fn.some(i=>e.marks.has(i))&&a.push(ne("mark","frame of a finding")),
a}function ft(e,n,t){let r=new Set(e.tree.fn),o=new Map;for(let a of n.marks??[]){if(!r.has(a.fn))continue;let i=o.get(a.
finding)??{id:a.id,fns:new Set};i.fns.add(a.fn),o.set(a.finding,i)}return[...o].sort(([a],[i])=>a-i).map(([a,{id:i,fns:s}])=>{
let l=document.createElement("div"),c=document.createElement("a");return l.setAttribute("role","group"),l.setAttribute("\
aria-label",i+": "+n.findings[a]),c.href=(n.page??"")+"#finding-"+a,c.title=n.findings[a],c.textContent=i,l.append(c,...[
...s].map(h=>{let u=document.createElement("button");return u.type="button",u.title=n.funcs[h][0],u.textContent=Ae(n.funcs[h][0]),
u.addEventListener("click",()=>t(h)),u})),l})}var Jt=[0,.01,.05];function at(e){let n=t=>{let r=Float64Array.from(e.graph.self[t]);for(let[o,a]of e.graph.cut[t])r[o]+=
a;for(let o=e.n-1;o>0;o--)r[e.parent[o]]+=r[o];return r};e.sides=[n(0),n(1)],e.wholes=e.graph.wholes??[e.sides[0][0],e.sides[1][0]],
Ne(e)}function Ne(e){e.change=new Float64Array(e.n);let[n,t]=[e.sides,e.wholes],{diff:r,types:o}=e.graph,a=t[1]*o[1].scale;
for(let i=0;i<e.n;i++){let s=n[0][i]*o[0].scale-n[1][i]*o[1].scale,l=0;for(let c of[0,1])l+=r.sample[c]*n[c][i]*(1-n[c][i]/
t[c])*o[c].scale**2;Math.abs(s)>Math.max(2*Math.sqrt(Math.max(l,0)),r.noise*a)&&(e.change[i]=s/a)}}function nt(e){let n=0;
for(let t of Jt)Math.abs(e)>t&&n++;return Math.sign(e)*n}function Zt(e){return(e>0?"+":"−")+te(Math.abs(e))}function rt(e){
return e===0?"":(e>0?"▲":"▼")+te(Math.abs(e)).replace(" ","")+" "}function Ie(e,n){let{types:t}=e.graph,r=e.sides[1][n]*
t[1].scale,o=e.sides[0][n]*t[0].scale,a=t[0].unit,i=o-r,s=e.wholes[1]*t[1].scale;return[G(r,a)+" "+t[1].name+", "+G(o,a)+
" "+t[0].name,e.change[n]===0?"no change beyond sampling error and noise":(i>0?"+":"")+G(i,a)+", "+Zt(i/s)+" of total "+
t[1].name]}function mt(){let e=["below 1 %","1 to 5 %","above 5 %"];return[...e.map((n,t)=>ne("more"+(t+1),"▲ more, "+
n)),...e.map((n,t)=>ne("less"+(t+1),"▼ less, "+n)),ne("none","no change beyond sampling error and noise")]}function Ee(e,n){return e.sides?e.sides.some(t=>t[n]>0):e.total[n]>0}function en(e){let n=new Set;for(let t=1;t<e.n;t++)
e.parent[t]>0&&Ee(e,t)&&n.add(e.fn[e.parent[t]]);return n}function ht(e){let{types:n}=e.graph,t=s=>{let{self:l,total:c}=fe(
e.sides?{...e,self:e.graph.self[s],total:e.sides[s]}:e),h=e.sides?n[s].scale:e.type.scale;return{flat:l.map(u=>u*h),cum:c.
map(u=>u*h)}},r=en(e),o=t(0),a=e.sides?t(1):null,i=[];return o.cum.forEach((s,l)=>{let c={fn:l,path:[l],calls:r.has(l),flat:o.
flat[l],cum:s};a&&Object.assign(c,{flatChange:c.flat-a.flat[l],cumChange:s-a.cum[l]}),(s>0||a&&a.cum[l]>0)&&i.push(c)}),
i}function pt(e,n){let t=[];for(let r=n+1;r<e.end[n];r=e.end[r])Ee(e,r)&&t.push(r);return t}function dt(e,n){let t=n.tree??
be(e,n.fn),{types:r}=t.graph;return pt(t,n.node??0).map(o=>{let a=l=>({flat:t.selves[l][o]*r[l].scale,cum:t.sides[l][o]*
r[l].scale}),i=t.sides?a(0):{flat:t.self[o]*t.type.scale,cum:t.total[o]*t.type.scale};if(t.sides){let l=a(1);Object.assign(
i,{flatChange:i.flat-l.flat,cumChange:i.cum-l.cum})}let s=t.fn[o];return{...i,fn:s,path:[...n.path,s],tree:t,node:o,calls:pt(
t,o).length>0}})}function Be(e,n){let t=n==="flat"?"cum":"flat",r=(o,a)=>Math.abs(o[`${a}Change`]??o[a]);return e.sort((o,a)=>r(
a,n)-r(o,n)||r(a,t)-r(o,t)||o.fn-a.fn)}function tn(e,n){return e===0?"0":(e>0?"+":"")+G(e,n)}function gt(e){let{unit:n}=e.
sides?e.graph.types[0]:e.type,t=(e.whole??e.total[0])*e.type.scale;return["flat","cum"].flatMap(r=>[[r,r==="flat"?"Flat":
"Cum",o=>G(o[r],n)],e.sides?["","change",o=>tn(o[`${r}Change`],n)]:["","share",o=>te(t?o[r]/t:0)]])}function Te(e,n){let t=[];for(let r=1;r<e.n;){if(e.fn[r]!==n){r++;continue}Ee(e,r)&&t.push(r),r=e.end[r]}return t}function bt(e,n){
let t=e.sides??[],r={parent:[-1],fn:[n],self:[0],total:[0],line:[0],most:[0],sides:t.map(()=>[0]),selves:t.map(()=>[0])},
o=new Map,a=e.funcs;function i(l,c){let h=l*a+c,u=o.get(h);if(u===void 0){u=r.fn.length,o.set(h,u),r.parent.push(l),r.fn.
push(c),r.self.push(0),r.total.push(0),r.line.push(0),r.most.push(0);for(let b of[...r.sides,...r.selves])b.push(0)}return u}
function s(l,c,h=c){r.total[l]+=e.total[c],e.total[h]>r.most[l]&&(r.most[l]=e.total[h],r.line[l]=e.line[h]),r.sides.forEach(
(u,b)=>{u[l]+=t[b][c]})}return{nodes:r,step:i,add:s}}function be(e,n){let{nodes:t,step:r,add:o}=bt(e,n),a=[0];for(let i of Te(
e,n))for(let s=i;s<e.end[i];s++){let l=e.depth[s]-e.depth[i];l>0&&(a[l]=r(a[l-1],e.fn[s])),o(a[l],s),t.self[a[l]]+=e.self[s],
t.selves.forEach((c,h)=>{c[a[l]]+=e.graph.self[h][s]})}return wt(e,t)}function yt(e,n){let{nodes:t,step:r,add:o}=bt(e,n);
for(let a of Te(e,n)){let i=0;o(0,a);for(let s=e.parent[a];s>0;s=e.parent[s])i=r(i,e.fn[s]),o(i,a,s)}return wt(e,t)}function wt(e,n){
let t=n.fn.length,r=Array.from({length:t},()=>[]);for(let s=1;s<t;s++)r[n.parent[s]].push(s);let o={n:t,graph:e.graph,type:e.
type,whole:e.whole??e.total[0],funcs:e.funcs,fn:new Int32Array(t),line:new Int32Array(t),depth:new Int32Array(t),parent:new Int32Array(
t),end:new Int32Array(t),self:new Float64Array(t),total:new Float64Array(t),x:new Float64Array(t)};e.sides&&(o.sides=e.sides.
map(()=>new Float64Array(t)),o.selves=e.sides.map(()=>new Float64Array(t)),o.wholes=e.wholes);let a=[[0,-1,0,0]],i=0;for(;a.
length;){let[s,l,c,h]=a.pop(),u=i++;o.fn[u]=n.fn[s],o.parent[u]=l,o.depth[u]=c,o.x[u]=h,o.self[u]=n.self[s],o.total[u]=n.
total[s],o.line[u]=n.line[s],o.sides?.forEach((k,H)=>{k[u]=n.sides[H][s]}),o.selves?.forEach((k,H)=>{k[u]=n.selves[H][s]});
let b=r[s].sort((k,H)=>n.total[H]-n.total[k]||n.fn[k]-n.fn[H]),T=h;for(let k of b)T+=n.total[k];for(let k of b.reverse())
T-=n.total[k],a.push([k,u,c+1,T])}return ke(o),o.sides&&Ne(o),o}function fe(e){let n=new Float64Array(e.funcs),t=new Float64Array(
e.funcs),r=new Int32Array(e.funcs),o=[];for(let a=1;a<e.n;a++){for(;o.length>=e.depth[a];)r[o.pop()]--;let i=e.fn[a];n[i]+=
e.self[a],r[i]===0&&(t[i]+=e.total[a]),r[i]++,o.push(i)}return{self:n,total:t}}function Oe(e,n=e.keys()){let t=-1;for(let r of n)
e[r]>(t<0?0:e[t])&&(t=r);return t}function xt(e,n){let t=n.toLowerCase().split("|").map(i=>i.trim()).filter(Boolean);if(!t.length)return null;let r=i=>t.some(
s=>i.includes(s)),o=(e.files??[]).map(i=>r(i.toLowerCase())),a=new Set;return e.funcs.forEach(([i,s],l)=>{(r(i.toLowerCase())||
o[s])&&a.add(l)}),a}function nn(e,n){let t=new Uint8Array(e.n);for(let r=1;r<e.n;r++)t[r]=t[e.parent[r]]||n.has(e.fn[r])?
1:0;return t}function Et(e,{focus:n,ignore:t,from:r}){let[o,a,i]=[n,t,r].map(h=>h&&nn(e,h)),s=h=>(!o||o[h])&&!(a&&a[h])&&
(!i||i[h]),l=(h,u)=>h.reduce((b,T)=>b+T,0)+e.graph.cut[u].reduce((b,[,T])=>b+T,0),c={...e.graph,wholes:e.graph.self.map(
l),lines:{fn:[],line:[],self:[],total:[]},self:e.graph.self.map(h=>h.map((u,b)=>s(b)?u:0)),cut:e.graph.cut.map(h=>h.filter(
([u])=>s(u)))};return we(i?rn(e,c,i):c,e.funcs)}function rn(e,n,t){let r=[{depth:0,children:new Map}],o=new Int32Array(e.
n);for(let s=1;s<e.n;s++){if(!t[s])continue;let l=r[o[e.parent[s]]];l.children.has(e.fn[s])||(l.children.set(e.fn[s],r.length),
r.push({fn:e.fn[s],line:e.line[s],depth:l.depth+1,children:new Map})),o[s]=l.children.get(e.fn[s])}let a=s=>{let l=new Array(
r.length).fill(0);return s.forEach((c,h)=>{l[o[h]]+=c}),l},i=n.cut.map(s=>s.map(([l,c])=>[o[l],c]));return on({...n,self:n.
self.map(a),cut:i},r)}function on(e,n){let t=[...e.self[e.default]];for(let[s,l]of e.cut[e.default])t[s]+=l;for(let s=n.
length-1;s>=0;s--)for(let l of n[s].children.values())t[s]+=t[l];let r=[],o=[0];for(;o.length;){let s=o.pop();r.push(s);
for(let l of[...n[s].children.values()].sort((c,h)=>t[c]-t[h]))o.push(l)}let a=new Int32Array(n.length);r.forEach((s,l)=>{
a[s]=l});let i=r.slice(1);return{...e,fn:i.map(s=>n[s].fn),line:i.map(s=>n[s].line),up:i.map((s,l)=>n[r[l]].depth+1-n[s].
depth),self:e.self.map(s=>r.map(l=>s[l])),cut:e.cut.map(s=>s.map(([l,c])=>[a[l],c]))}}function ze(e,n){if(e.hashes)return e.
hashes;let t=Ke(n);e.hashes=new Uint32Array(e.n);for(let r=1;r<e.n;r++)e.hashes[r]=qe(e.hashes[e.parent[r]],t[e.fn[r]],e.
depth[r]);return e.hashes}function Ke(e){return e.hashes??=e.funcs.map(([n])=>{let t=2166136261;for(let r=0;r<n.length;r++)
t=Math.imul(t^n.charCodeAt(r),16777619);return t}),e.hashes}function qe(e,n,t){return Math.imul(e^e>>>15^n,739982445)+t}
function Ue(e,n,t){return t?Math.max(ze(e,n).indexOf(t),0):0}function sn(e,n,t){let r=e.graph.lines,o=[];if(r.fn?.forEach((s,l)=>{s===t&&o.push({line:r.line[l],self:r.self[n][l],total:r.
total[n][l]})}),o.length)return{rows:o,exact:!0};let a=new Map,i=s=>(a.has(s)||a.set(s,{line:s,self:0,total:0}),a.get(s));
for(let s of Te(e,t))i(e.line[s]).total+=e.total[s];for(let s=1;s<e.n;s++)e.fn[s]===t&&(i(e.line[s]).self+=e.self[s]);return{
rows:[...a.values()].sort((s,l)=>s.line-l.line),exact:!1}}function W(e,n,t){let r=document.createElement(e);return r.append(
n),t&&(r.className=t),r}function an(e){let n="http://www.w3.org/2000/svg",t=document.createElementNS(n,"svg");t.setAttribute(
"class","share"),t.setAttribute("viewBox","0 0 100 6"),t.setAttribute("preserveAspectRatio","none"),t.setAttribute("aria\
-hidden","true");for(let[r,o]of[["track",100],["fill",Math.min(100*e,100)]]){let a=document.createElementNS(n,"rect");a.
setAttribute("class",r),a.setAttribute("width",String(o)),a.setAttribute("height","6"),t.append(a)}return t}function Tt(e,n,t,r){
let o=e.tree,{rows:a,exact:i}=sn(o,t,r),s=document.createElement("table"),l=document.createElement("tr");for(let[b,T]of[
["Line","num"],["Self","num"],["Share","num"],["With callees","num"],["Share","num"],["",""]]){let k=W(b?"th":"td",b,T);
b&&(k.scope="col"),l.append(k)}let c=document.createElement("tbody"),h=o.whole??o.total[0];for(let b of a){let T=document.
createElement("tr"),k=Re(n,r,b.line),H=W("th",k?Pe(k,String(b.line)):b.line?String(b.line):"–","num");H.scope="row",T.
append(H,W("td",ie(e,b.self),"num"),W("td",Q(e,b.self),"num"),W("td",ie(e,b.total),"num"),W("td",Q(e,b.total),"num"),W("\
td",an(h?b.total/h:0),"barcell")),c.append(T)}if(s.append(W("thead",l),c),i)return[s];let u=W("p","The page has every li\
ne only for the heaviest functions. In this function, each frame counts at its heaviest line.","note");return[s,u]}var _=(()=>{let e={width:0,height:0,top:0,match:null,marks:new Map},n=[],t=[],r=[],o,a,i,s,l,c,h,u=0,b=0,T="graph",k=!1,
H=!0,v=-1,A=[],O=0,j=null,z=()=>{};function D(f){return a.querySelector(f)}function $(f,d={}){return{tree:f,zoom:0,base:0,
dir:1,from:0,hover:-1,selected:-1,...d}}function Y(){return[$(n[u],{dir:k?-1:1})]}function y(f=O){return{...e,...A[f]}}function x(){
performance.clearMeasures("flame");let f=performance.now();if(e.width=i.clientWidth,!e.width)return;let d=et(A,e.width)*
q,g=parseFloat(getComputedStyle(i).maxHeight)||d;e.height=Math.min(d,g),D(".spacer").style.height=d-e.height+"px",H&&(i.
scrollTop=k&&T==="graph"?d:0),H=!1,e.top=Math.min(i.scrollTop,d-e.height);let M=devicePixelRatio||1,[P,ee]=[Math.round(e.
width*M),Math.round(e.height*M)];(s.width!==P||s.height!==ee)&&(s.width=P,s.height=ee,s.style.width=e.width+"px",s.style.
height=e.height+"px"),l.setTransform(M,0,0,M,0,0),l.clearRect(0,0,e.width,e.height),A.forEach((hn,qt)=>tt(l,y(qt),o)),performance.
measure("flame",{start:f,end:performance.now()})}function E(){h.replaceChildren(...lt(y(),o)),T==="lines"&&v>=0&&D(".lin\
es").replaceChildren(...Tt(J(),o,b,v))}function S(f){A[0].zoom=f,H||=k,x(),E(),z(!0)}function L(f,d){for(let P of A)P.selected=
-1;O=f;let g=A[f];g.selected=d;let M=g.base+g.dir*g.tree.depth[d]*q;(M<i.scrollTop||M+q>i.scrollTop+e.height)&&(i.scrollTop=
M-e.height/2),x(),E(),z(!1)}function F(f){e.match=xt(o,f),T!=="graph"&&V(),x(),E(),z(!1)}function U(){for(let f of A)f.selected=
-1;A[0].zoom=0,O=0,D("input").value="",H=!0,z(!0),F("")}function B(f){b=f;let d=n[u];if(Ce(d,f),T==="graph"){let g=A[0];
for(;g.zoom>0&&d.total[g.zoom]===0;)g.zoom=d.parent[g.zoom]}else R(v);D(".types select").value=String(f),D(".legend").replaceChildren(
...ut({...e,tree:d},o)),x(),E(),z(!0)}function m(f){u=f;let d=o.graphs[f];t[f]??=we(d,o.funcs.length),n[f]??=j?Et(t[f],j):
t[f],r.length=0,A=Y(),O=0,H=!0,a.querySelectorAll(".tabs button").forEach((M,P)=>{M.setAttribute("aria-selected",String(
P===f)),M.tabIndex=P===f?0:-1}),D(".types select").replaceChildren(...d.types.map((M,P)=>new Option(M.name,String(P),!1,
P===d.default))),D(".types").hidden=d.types.length<2,D(".marks").replaceChildren(...ft(y(),o,le)),Ce(n[f],d.default),T!==
"graph"&&(v=p()),B(d.default)}function p(){let{self:f,total:d}=fe(n[u]);return v>=0&&d[v]>0?v:Math.max(Oe(f),0)}function w(f){
let d=A[O];d.selected>=0&&d.tree.fn[d.selected]>=0&&(v=d.tree.fn[d.selected]),T=f,r.length=0;for(let g of a.querySelectorAll(
".modes button"))g.setAttribute("aria-pressed",String(g.dataset.mode===T));a.dataset.mode=T,D(".function").hidden=T==="g\
raph",D(".lines").hidden=T!=="lines",i.hidden=T==="lines",D(".legend").hidden=T==="lines",D("[data-up]").disabled=T!=="g\
raph",H=!0,T==="graph"?(A=Y(),O=0):R(p()),x(),E(),z(!0)}function C(){if(T!=="graph")return;I(!k);let f=A[0];H=!0,x(),z(!0),
f.selected>=0&&L(0,f.selected),E()}function I(f){k=f,D("[data-up]").setAttribute("aria-pressed",String(k)),T==="graph"&&
(A[0].dir=k?-1:1)}function R(f){v=f;let d=n[u];O=0,A=T==="sandwich"?[$(be(d,f),{selected:0}),$(yt(d,f),{dir:-1,from:1})]:
[$(be(d,f),{selected:0})],V(),T==="sandwich"&&(e.width=i.clientWidth,x(),i.scrollTop=Math.max(0,A[0].base-e.height/2))}function K(f){
f<0||f===v||(r.push(v),R(f),x(),E(),z(!0))}function V(){let{self:f,total:d}=fe(n[u]),g=[...d.keys()].filter(P=>d[P]>0&&(!e.
match||e.match.has(P))).sort((P,ee)=>d[ee]-d[P]||f[ee]-f[P]).slice(0,300);g.includes(v)||g.unshift(v);let M=P=>Q(J(),d[P])+
"  "+ae(o,P);D(".function select").replaceChildren(...g.map(P=>new Option(M(P),String(P),!1,P===v)))}function J(){return{
...e,tree:n[u]}}function le(...f){if(T!=="graph"){K(f.at(-1));return}let d=n[u],g=st(d,f);if(g<0)return;let M=g;for(;M>0&&
d.total[g]/d.total[M]>.12;)M=d.parent[M];A[0].zoom=M,H||=k,x(),z(!0),L(0,g)}function kt(){let{tree:f,zoom:d,selected:g}=A[0],
M=g<0?d:g,P=()=>L(0,g<0?d:xe(f,M)),ee=()=>{f.parent[M]<0||(M===d&&S(f.parent[M]),L(0,f.parent[M]))};return{ArrowDown:k?ee:
P,ArrowUp:k?P:ee,u:C,ArrowLeft:()=>{M!==d&&L(0,ge(f,M,-1))},ArrowRight:()=>{M!==d&&L(0,ge(f,M,1))},Enter:()=>S(M),Escape:()=>{
d>0?S(f.parent[d]):U()},Home:U}}function Ct(){let{tree:f,selected:d}=A[O],g=Math.max(d,0),M=()=>L(O,xe(f,g)),P=()=>L(f.parent[g]>
0?O:0,Math.max(f.parent[g],0));return{ArrowDown:O===0?M:P,ArrowUp:()=>{O===1?M():g>0?P():A[1].tree.n>1&&L(1,xe(A[1].tree,
0))},ArrowLeft:()=>L(O,ge(f,g,-1)),ArrowRight:()=>L(O,ge(f,g,1)),Enter:()=>K(f.fn[g]),Escape:()=>Rt(),Home:()=>L(0,0)}}function Rt(){
r.length?(R(r.pop()),x(),E(),z(!0)):w("graph")}function je(f){let d=T==="graph"?kt():Ct();!d[f.key]||f.ctrlKey||f.metaKey||
f.altKey||(f.preventDefault(),d[f.key]())}function Pt(){s.addEventListener("pointermove",f=>{let[d,g]=ve(A,e,f.offsetX,f.
offsetY);A.some((M,P)=>M.hover!==(P===d?g:-1))&&(A.forEach((M,P)=>{M.hover=P===d?g:-1}),x()),f.pointerType==="mouse"&&De(
c,g<0?null:Fe(y(d),o,g),f.clientX,f.clientY)}),s.addEventListener("pointerleave",()=>{for(let f of A)f.hover=-1;De(c,null),
x()}),s.addEventListener("click",f=>{let[d,g]=ve(A,e,f.offsetX,f.offsetY);if(!(g<0)){if(T==="sandwich"){K(A[d].tree.fn[g]);
return}A[0].selected=g,S(g)}})}function Ht(){let f=D(".tabs");f.replaceChildren(...o.graphs.map((d,g)=>ct(d.title,()=>m(
g)))),f.addEventListener("keydown",d=>{let g={ArrowRight:1,ArrowLeft:-1}[d.key];g&&(m((u+g+o.graphs.length)%o.graphs.length),
f.children[u].focus())})}function Ft(f,d){if(a=document.getElementById("flame"),!(!a||!f.graphs?.length)){o=f,i=D(".stag\
e"),s=i.querySelector("canvas"),l=s.getContext("2d"),c=D(".tip"),h=D(".status");for(let g of o.marks??[]){let M=e.marks.
get(g.fn)??[];e.marks.set(g.fn,M.includes(g.id)?M:[...M,g.id])}Ht(),Pt(),i.addEventListener("keydown",je),i.addEventListener(
"scroll",x);for(let g of a.querySelectorAll(".modes button"))g.addEventListener("click",()=>w(g.dataset.mode));D(".types\
 select").addEventListener("change",g=>B(Number(g.target.value))),D(".function select").addEventListener("change",g=>K(Number(
g.target.value))),D("input").addEventListener("input",g=>F(g.target.value)),D("input").addEventListener("keydown",Dt),D(
".reset").addEventListener("click",U),D("[data-up]").addEventListener("click",C),m(o.marks?.[0]?.graph??0),d&&(z=d),new ResizeObserver(
x).observe(a),N.onChange(x)}}function Dt(f){if(f.key!=="Enter"||!e.match?.size)return;let{total:d}=fe(n[u]),g=Oe(d,e.match);
g>=0&&le(g)}function It(f){let d=o.marks[f];T!=="graph"&&w("graph"),u!==d.graph&&m(d.graph),le(d.fn),a.scrollIntoView({block:"\
start"}),i.focus({preventScroll:!0})}function Nt(f){u!==f&&m(f),i.focus({preventScroll:!0})}function Bt(){let{zoom:f,selected:d}=A[0],
g=M=>T==="graph"&&M>0?ze(n[u],o)[M]:0;return{graph:u,type:o.graphs[u].types[b].name,view:T,zoom:g(f),at:g(d),up:k?"1":"",
fn:T==="graph"?"":o.funcs[v]?.[0]??"",find:D("input").value}}function Ot(f){let d=z;z=()=>{},j=f.filter,n.length=0,I(f.up===
"1"),m(Math.min(f.graph,o.graphs.length-1)),T!=="graph"&&w("graph");let g=o.graphs[u].types.findIndex(M=>M.name===f.type);
if(g>=0&&g!==b&&B(g),D("input").value=f.find,F(f.find),f.view==="sandwich"||f.view==="lines")v=o.funcs.findIndex(([M])=>M===
f.fn),w(f.view);else{A[0].zoom=Ue(n[u],o,f.zoom),x();let M=Ue(n[u],o,f.at);M>0?L(0,M):E()}z=d}function zt(){return{tree:n[u],
column:b,match:e.match}}function Kt(){let f=A[O];return f.selected>0||T!=="graph"&&f.selected===0?ue(y(),o,f.selected):""}
return{start:Ft,showMark:It,showGraph:Nt,reset:U,turn:C,state:Bt,restore:Ot,shownFunctions:zt,selectedName:Kt,jump:le,keys:je}})();var St=[["graph","graph"],["type","type"],["view","view"],["fn","fn"],["up","up"],["zoom","zoom"],["at","at"],["q","find"]];
function Mt(){let e=_.state();return{write:n=>{let t=_.state();for(let[r,o]of St)t[o]!==e[o]&&n.set(r,String(t[o]))},read:n=>{
let t=(r,o)=>Number(n.get(r)??o)||0;_.restore({graph:Math.max(0,Math.trunc(t("graph",e.graph))),type:n.get("type")??e.type,
view:n.get("view")??e.view,fn:n.get("fn")??"",up:n.get("up")??"",zoom:t("zoom",0),at:t("at",0),find:n.get("q")??"",filter:null})}}}
var Lt=e=>St.some(([n])=>e.has(n));var me=(()=>{let e=[],n="",t=!1,r=!1,o=()=>{};function a(){let c=new URLSearchParams;for(let h of e)h.write(c);return c.
size?"#~"+c.toString().replaceAll("%2C",","):""}function i(c){r||=c,!t&&(t=!0,queueMicrotask(()=>{let h=a();if(h!==n){let u=new URL(
location.href);u.hash=h,r?history.pushState({view:h},"",u):history.replaceState({view:h},"",u),n=h}t=r=!1}))}function s(){
let c=location.hash&&!location.hash.startsWith("#~")?location.hash.slice(1):"",h=history.state?.view;if(c&&typeof h!="st\
ring"){o(c),n=a(),history.replaceState({view:n},"");return}let u=c?String(h):location.hash;if(u===n)return;let b=new URLSearchParams(
u.slice(2));for(let T of e)T.read(b);n=a()}function l(c,h){return e=c,h&&(o=h),addEventListener("popstate",s),addEventListener(
"hashchange",s),s(),new URLSearchParams(n.slice(2))}return{start:l,changed:i}})();var ln=50,Se=(()=>{let e=new Map,n=new Map,t=!1;function r(s){if(s.id)return s.id;let l=s.closest("[id]")??document.body,
c=[...l.querySelectorAll("details:not([id])")].filter(h=>(h.closest("[id]")??document.body)===l);return l.id+"."+c.indexOf(
s)}function o(s=me.changed){for(let c of document.querySelectorAll("details"))e.set(c,c.open),n.set(r(c),c);document.addEventListener(
"toggle",()=>{t||s(!0)},!0);let l=[];addEventListener("beforeprint",()=>{t=!0,l=[...document.querySelectorAll("details.f\
inding:not([open])")];for(let c of l)c.open=!0}),addEventListener("afterprint",()=>{for(let c of l)c.open=!1;t=!1})}let a={
write:s=>{let l=[...n].filter(([,c])=>c.open!==e.get(c));for(let[c,h]of[["unfold",!0],["fold",!1]]){let u=l.filter(([,b])=>b.
open===h).map(([b])=>b).slice(0,ln);u.length&&s.set(c,u.join(","))}},read:s=>{let l=u=>new Set((s.get(u)??"").split(",")),
c=l("unfold"),h=l("fold");for(let[u,b]of n)b.open=c.has(u)||e.get(b)&&!h.has(u)}};function i(s){let l=document.getElementById(
s),c=l?.closest("details");!c||c.open||(c.open=!0,l.scrollIntoView())}return{start:o,part:a,follow:i}})();var cn=50;function un(e,n,t,{shown:r,show:o,changed:a}){let i=new Set,s=new WeakMap,l="flat",c=30,h=[],u,b;function T(){
let m=r(),p=[m.tree,m.column,m.match,l,c];if(p.every((R,K)=>R===h[K]))return;h=p,u=m.tree,b=gt(u);let w=s.get(Y(document.
activeElement))?.key,C=Be(ht(u).filter(R=>!m.match||m.match.has(R.fn)),l);e.replaceChildren(...C.length?k(C):[W("p","No \
function matches.","empty")]);let I=$();I.length&&(I[0].tabIndex=0),w!==void 0&&y(I.find(R=>s.get(R).key===w)??I[0])}function k(m){
let p=Z("table","treegrid","cards functions");p.setAttribute("aria-label","Functions"),p.setAttribute("aria-describedby",
"functions-how");let w=Z("thead","rowgroup");w.append(H());let C=Z("tbody","rowgroup");if(C.append(...m.slice(0,c).flatMap(
(R,K)=>v(R,K,m.length))),p.append(w,C),m.length<=c)return[p];let I=W("button","Show more: "+he(m.length-c)+" functions a\
re left","quiet more");return I.type="button",I.addEventListener("click",()=>{let R=c;c+=200,a(!1),y($().filter(K=>K.ariaLevel===
"1")[R])}),[p,I]}function H(){let m=Z("tr","row"),p=Z("th","columnheader");return p.scope="col",p.append("Function"),m.append(
p,...b.map(([w,C])=>{let I=Z("th","columnheader","num");if(I.scope="col",!w)return I.append(C),I;let R=W("button",C+(w===
l?" ▾":""),"link");return R.type="button",R.dataset.sort=w,R.addEventListener("click",()=>{l=w,a(!0),e.querySelector("\
[data-sort="+w+"]")?.focus()}),w===l&&I.setAttribute("aria-sort","descending"),I.append(R),I})),m}function v(m,p,w){m.key=
fn(t,m.path);let C=Z("tr","row");return s.set(C,m),C.tabIndex=-1,C.setAttribute("aria-level",String(m.path.length)),C.setAttribute(
"aria-posinset",String(p+1)),C.setAttribute("aria-setsize",String(w)),m.calls&&C.setAttribute("aria-expanded",String(i.has(
m.key))),C.append(O(C,m),...b.map(([I,R,K],V)=>{let J=Z("td","gridcell","num");return J.append(K(m)),J.dataset.label=I?R.
toLowerCase():b[V-1][1].toLowerCase()+" "+R,J})),m.calls&&i.has(m.key)?[C,...A(m)]:[C]}function A(m){let p=Be(dt(u,m),l);
return p.flatMap((w,C)=>v(w,C,p.length))}function O(m,p){let w=Z("th","rowheader");w.scope="row";let C=W("span",p.calls?
i.has(p.key)?"▾":"▸":"","twist");C.setAttribute("aria-hidden","true"),C.addEventListener("click",()=>{p.calls&&x(m)});
let I=W("button",t.funcs[p.fn][0],"link symbol");I.type="button",I.tabIndex=-1,I.addEventListener("click",()=>o(p.path));
let R=W("div",I);R.append(W("span",[...j(p.fn),...z(p.fn)].join(" · "),"sub"));let K=W("div",C,"tree");return K.style.setProperty(
"--above",String(p.path.length-1)),K.append(R),w.append(K),w}function j(m){let[,p,w]=t.funcs[m];return w===Me?[X[w],t.files[p]]:
[X[w],...p<0?[]:[t.files[p].split("/").slice(-2).join("/")]]}function z(m){return[...new Set((t.marks??[]).filter(p=>p.fn===
m).map(p=>p.id))]}function D(m,p){let w=b.map(([,,K])=>K(p)),C=p.path.slice(0,-1).map(K=>ae(t,K)).reverse(),I=z(p.fn),R=p.
calls?m.ariaExpanded==="true"?"What it calls is open":"Right shows what it calls":"It calls nothing that was counted";return[
t.funcs[p.fn][0]+(C.length?", called by "+C.join(", by "):""),[["itself",0],["with what it calls",2]].map(([K,V])=>w[V]+
" "+K+", "+w[V+1]+(u.sides?" against the base":" of all")).join("; "),(se(t,p.fn)?"It is ":"In ")+[He[X[t.funcs[p.fn][2]]],
...j(p.fn).slice(1)].join(", "),...I.length?["A place of "+I.join(", ")]:[],R].join(". ")+"."}function $(){return[...e.querySelectorAll(
"tbody tr")]}function Y(m){return m&&e.contains(m)?m.closest("tbody tr"):null}function y(m){m?.focus()}function x(m){let p=s.
get(m),w=!i.delete(p.key);if(w)i.add(p.key),m.after(...A(p));else for(;Number(m.nextElementSibling?.ariaLevel)>p.path.length;)
m.nextElementSibling.remove();m.setAttribute("aria-expanded",String(w)),m.querySelector(".twist").textContent=w?"▾":"▸",
Y(document.activeElement)===m?n.textContent=D(m,p):e.querySelector('tbody tr[tabindex="0"]')||(m.tabIndex=0),a(!1)}function E(m){
let p=m.previousElementSibling;for(;p&&Number(p.ariaLevel)>=Number(m.ariaLevel);)p=p.previousElementSibling;return p}function S(m){
let p=Y(m.target);if(!p||m.ctrlKey||m.metaKey||m.altKey)return;let w=p.ariaExpanded,C={ArrowDown:()=>y(p.nextElementSibling),
ArrowUp:()=>y(p.previousElementSibling),ArrowRight:()=>{w==="true"?y(p.nextElementSibling):w&&x(p)},ArrowLeft:()=>{w==="\
true"?x(p):y(E(p))},Home:()=>y($()[0]),End:()=>y($().at(-1)),Enter:()=>o(s.get(p).path)}[m.key];C&&(m.preventDefault(),m.
stopPropagation(),C())}function L(m){let p=Y(m.target);if(!p)return;for(let C of e.querySelectorAll('tbody tr[tabindex="\
0"]'))C.tabIndex=-1;p.tabIndex=0;let w=D(p,s.get(p));n.textContent!==w&&(n.textContent=w)}e.addEventListener("keydown",S),
e.addEventListener("focusin",L);function F(){return{sort:l,open:[...i].slice(-cn).map(m=>m.toString(16)).join(".")}}function U({
sort:m,open:p}){l=m==="cum"?"cum":"flat",i.clear();for(let w of p.split("."))w&&i.add(Number.parseInt(w,16));h=[]}function B(){
let m=s.get(Y(document.activeElement));return m?t.funcs[m.fn][0]:""}return{refresh:T,state:F,restore:U,focusedName:B}}function Z(e,n,t){
let r=document.createElement(e);return r.setAttribute("role",n),t&&(r.className=t),r}function fn(e,n){let t=Ke(e);return n.
reduce((r,o,a)=>qe(r,t[o],a+1),0)>>>0}function mn(e){let n=document.querySelector(".stage");_.jump(...e),n.scrollIntoView(
{block:"center"}),n.focus({preventScroll:!0})}function At(e,n){let t=document.getElementById("functions");if(!t)return _.
start(e,n),[];let r,o=()=>{t.open&&r.refresh()},a=i=>{o(),n(i)};return r=un(document.getElementById("function-table"),document.
getElementById("row-said"),e,{shown:_.shownFunctions,show:mn,changed:a}),_.start(e,a),t.addEventListener("toggle",o),[{write:i=>{
let{sort:s,open:l}=r.state();s!=="flat"&&i.set("sort",s),l&&i.set("rows",l)},read:i=>{r.restore({sort:i.get("sort"),open:i.
get("rows")??""}),o()}}]}document.documentElement.classList.add("js");N.start();Se.start();var We=JSON.parse(document.getElementById("data").textContent);
ce.start(We.vitals);ce.onChange(()=>me.changed(!0));var pn=At(We.flame,me.changed),vt=me.start([...We.flame.graphs?.length?
[Mt()]:[],Xe,...pn,Se.part],Se.follow);Lt(vt)?document.getElementById("profiles")?.scrollIntoView():vt.has("from")&&document.
getElementById("vitals")?.scrollIntoView();Qe();for(let e of document.querySelectorAll("[data-mark]"))e.addEventListener(
"click",()=>_.showMark(Number(e.dataset.mark)));for(let e of document.querySelectorAll("[data-graph]"))e.addEventListener(
"click",()=>_.showGraph(Number(e.dataset.graph)));})();

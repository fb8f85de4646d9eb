// Made of app/report/web/comparison.ts by `make web`.
"use strict";(()=>{function je(){for(let e of document.querySelectorAll("[data-copy]"))e.addEventListener("click",async()=>{let t=document.
getElementById(e.dataset.copy);try{await navigator.clipboard.writeText(t.textContent),e.textContent="Copied"}catch{getSelection().
selectAllChildren(t),e.textContent="Selected"}})}var P=(()=>{let e=document.documentElement,t=matchMedia("(prefers-color-scheme: dark)"),n=[],r=document.createElement("s\
pan");r.hidden=!0,document.body.append(r);let o="",a=!1,l=()=>!a&&(o?o==="dark":t.matches);function s(){e.style.colorScheme=
a?"light":o;let f=document.getElementById("theme");f.textContent=l()?"Light":"Dark";for(let b of n)b()}function i(){document.
getElementById("theme").addEventListener("click",()=>{o=l()?"light":"dark",s()}),t.addEventListener("change",s),addEventListener(
"beforeprint",()=>{a=!0,s()}),addEventListener("afterprint",()=>{a=!1,s()}),s()}function u(f){return r.style.color="var(\
--"+f+")",getComputedStyle(r).color}function d(f){return getComputedStyle(e).getPropertyValue("--"+f).trim()}return{start:i,
color:u,font:d,onChange:f=>n.push(f)}})();var j=["user","dependency","std","runtime","label"],Te=j.indexOf("label"),Se="↳ ",H=19,Ue=.5,ce=4;function Nt(){return{
owner:j.map(e=>P.color("f-"+e)),text:P.color("f-text"),rest:P.color("f-rest"),match:P.color("f-match"),mark:P.color("f-m\
ark"),markText:P.color("f-mark-text"),more:[1,2,3].map(e=>P.color("f-more"+e)),less:[1,2,3].map(e=>P.color("f-less"+e)),
none:P.color("f-none"),ground:P.color("raised"),focus:P.color("text"),muted:P.color("muted")}}function Me(e){let t=e.search(
/[[(]/);return e.slice(e.lastIndexOf("/",t<0?e.length:t)+1)}function J(e,t){return t>=0&&e.funcs[t][2]===Te}function Z(e,t){
return J(e,t)?e.funcs[t][0]:Me(e.funcs[t][0])}function Ot(e,t,n){let r=e.depth[t];for(let o=t;o<e.end[t];){if(e.total[o]*
n<Ue){o=e.end[o];continue}e.depth[o]>r&&(r=e.depth[o]),o++}return r+1}function Ge(e,t){let n=e.map(({tree:o,zoom:a})=>Ot(
o,a,o.total[a]>0?t/o.total[a]:0));if(e.length===1){let o=Math.max(n[0],3);return e[0].base=e[0].dir>0?0:(o-1)*H,o}let r=n[1]-
1;for(let o of e)o.base=r*H;return Math.max(r+n[0],3)}function Le(e,t,n,r){let o=Math.floor((r+t.top-e[0].base)/H),a=o<0&&
e.length>1?1:0,{tree:l,zoom:s,dir:i}=e[a];if(o*i<0)return[a,-1];let u=Math.abs(o);if(u<l.depth[s]){let f=s;for(;f>=0&&l.
depth[f]>u;)f=l.parent[f];return[a,f]}let d=l.x[s]+n/t.width*l.total[s];for(let f=s;f<l.end[s];){if(d<l.x[f]||d>=l.x[f]+
l.total[f]){f=l.end[f];continue}if(l.depth[f]===u)return[a,f];f++}return[a,-1]}function Ve(e,t,n){let{tree:r,zoom:o,width:a,
height:l,top:s,base:i,dir:u,from:d}=t,f=Nt(),b=r.total[o]>0?a/r.total[o]:0,w=new Float64Array(4096).fill(-1);e.font="11.\
5px "+P.font("mono"),e.textBaseline="middle";let M=e.measureText("m").width,v={ctx:e,c:f,glyph:M,view:t,data:n,t:r};for(let T=r.
parent[o];T>=0;T=r.parent[T])We(v,T,0,i+u*r.depth[T]*H-s,a,!0);for(let T=o;T<r.end[o];){let x=i+u*r.depth[T]*H-s,R=r.total[T]*
b;if((u>0?x>l:x<-H)||R===0){T=r.end[T];continue}if(r.depth[T]<d){T++;continue}let z=(r.x[T]-r.x[o])*b;if(R<Ue){let D=Math.
floor(z);x>-H&&x<l&&w[r.depth[T]]<D&&(e.fillStyle=f.rest,e.fillRect(D,x,1,H-1),w[r.depth[T]]=D),T=r.end[T];continue}x>-H&&
x<l&&We(v,T,z,x,R,!1),T++}}function Bt(e,t,n,r){if(!t.change)return r<0?e.rest:e.owner[r];let o=_e(t.change[n]);return o>
0?e.more[o-1]:o<0?e.less[-o-1]:e.none}function We({ctx:e,c:t,glyph:n,view:r,data:o,t:a},l,s,i,u,d){let f=a.fn[l],b=f<0?-1:
o.funcs[f][2],w=r.match&&f>=0&&r.match.has(f),M=d||r.match&&!w;e.globalAlpha=M?.4:a.change?1:[1,.86,.93][f<0?0:f%3],e.fillStyle=
w?t.match:Bt(t,a,l,b);let v=u>3?1:0;e.fillRect(s,i,u-v,H-1),w&&(e.fillStyle=t.text,e.fillRect(s,i+H-3,u-v,2)),e.globalAlpha=
d?.75:1;let T=s+ce,x=f<0?void 0:r.marks.get(f);x&&(T=zt(e,t,x,s,i,u-v,n));let R=a.change?$e(a.change[l]):"",z=a.line[l]<
0?Se:"";Kt(e,R+z+(f<0?"all":Z(o,f)),t.text,T,i,s+u-ce,n),e.globalAlpha=1,(l===r.selected||l===r.hover)&&(e.strokeStyle=t.
focus,e.lineWidth=l===r.selected?2:1,e.strokeRect(s+1,i+1,Math.max(u-v-2,1),H-3))}function zt(e,t,n,r,o,a,l){if(e.fillStyle=
t.mark,a<5)return e.fillRect(r,o,a,H-1),r+ce;e.strokeStyle=t.mark,e.lineWidth=2,e.strokeRect(r+1,o+1,a-2,H-3);let s=n.join(
" "),i=s.length*l+8;return i>a?r+ce:(e.fillRect(r,o,i,H-1),e.fillStyle=t.markText,e.fillText(s,r+4,o+H/2),r+i+ce)}function Kt(e,t,n,r,o,a,l){
let s=Math.floor((a-Math.max(r,0))/l);s<2||(e.fillStyle=n,e.fillText(t.length<=s?t:t.slice(0,s-1)+"…",Math.max(r,0),o+
H/2))}function ge(e,t){let n=(e.fn??[]).length+1,r={n,graph:e,funcs:t,fn:new Int32Array(n),line:new Int32Array(n),depth:new Int32Array(
n),parent:new Int32Array(n),end:new Int32Array(n),self:new Float64Array(n),total:new Float64Array(n),x:new Float64Array(
n)};r.fn[0]=-1,r.parent[0]=-1;for(let o=1;o<n;o++){r.fn[o]=e.fn[o-1],r.line[o]=e.line[o-1];let a=o-1;for(let l=e.up[o-1];l>
0;l--)a=r.parent[a];r.parent[o]=a,r.depth[o]=r.depth[a]+1}return Ae(r),r}function Ae(e){for(let t=e.n-1;t>=0;t--)e.end[t]=
Math.max(e.end[t],t+1),t>0&&(e.end[e.parent[t]]=Math.max(e.end[e.parent[t]],e.end[t]))}function ve(e,t){let{self:n,total:r,
x:o,parent:a,n:l}=e;n.set(e.graph.self[t]),r.set(e.graph.self[t]);for(let[i,u]of e.graph.cut[t])r[i]+=u;for(let i=l-1;i>
0;i--)r[a[i]]+=r[i];let s=new Float64Array(l);for(let i=1;i<l;i++){let u=a[i];o[i]=o[u]+s[u],s[u]+=r[i]}e.type=e.graph.types[t],
e.whole=e.graph.wholes?.[t],e.graph.diff&&!e.change&&Qe(e)}function Xe(e,t){let n=0,r=0,o=0;for(let a=1;a<e.n;a++)t(e.fn[a])&&
(e.total[a]>0&&n++,a>=o&&(r+=e.total[a],o=e.end[a]));return{frames:n,sum:r}}function Ye(e,t){let n=t.length-1,r=-1;for(let o=1;o<
e.n;o++){if(e.fn[o]!==t[n]||r>=0&&e.total[o]<=e.total[r])continue;let a=n;for(let l=e.parent[o];a>0&&l>0&&e.fn[l]===t[a-
1];l=e.parent[l])a--;a===0&&(r=o)}return r}function ue(e,t,n){let r=e.parent[t];if(r<0)return t;let o=t,a=!1;for(let l=r+
1;l<e.end[r];l=e.end[l])if(e.total[l]!==0){if(n>0&&a)return l;if(l===t){if(n<0)return o;a=!0}o=l}return t}function be(e,t){
let n=t;for(let r=t+1;r<e.end[t];r=e.end[r])e.total[r]>0&&(n===t||e.total[r]>e.total[n])&&(n=r);return n}var Je=[[1099511627776," TiB",1],[1073741824," GiB",1],[1048576," MiB",1],[1024," KiB",1],[1," B",0]],qt=[[86400," days",
2],[3600," h",2],[60," min",10],[1," s",1],[.001," ms",1],[1e-6," µs",1],[1e-9," ns",0]],jt=[[1e12," T",1],[1e9," G",1],
[1e6," M",1],[1e3," k",0]];function et(e){return Number(e.toPrecision(3))}function Ze(e){return e.replace(/\.?0+(e|$)/,"\
$1")}function ee(e){if(e<0)return"−"+ee(-e);if(e===0)return"0";if(e<5e-7)return"<0.000001";if(e>=1e15)return Ze(e.toExponential(
2));if(e>=99.95)return e.toFixed(0).replace(/\B(?=(\d{3})+$)/g,",");let t=2-Math.floor(Math.log10(et(e))+1e-9),n=e.toFixed(
Math.min(t,6));return n.includes(".")?Ze(n):n}function Wt(e){return Math.abs(e)<1?Number(e.toPrecision(2)):Math.round(10*
e)/10}function fe(e,t){if(e<0)return"−"+fe(-e,t);for(let[n,r,o]of t)if(e>0?et(e/n)>=o:n===1)return ee(e/n)+r;return ee(
e)}function ye(e){return e<0?"−"+ye(-e):Math.round(e)<1e4?ee(e):fe(e,jt)}function Ut(e,t){switch(t){case"bytes":return fe(
e,Je);case"bytes/s":return fe(e,Je)+"/s";case"seconds":return fe(e,qt);case"share":return ee(Wt(100*e))+" %";case"cores":
return ee(e)==="1"?"1 core":ee(e)+" cores";case"1/s":return ye(e)+"/s";case"count":case"":return ye(e)}return ye(e)+" "+
t}function q(e,t){return e==null||!Number.isFinite(e)?"–":Ut(e,t).replaceAll(" "," ")}function me(e){return q(e,"coun\
t")}function X(e){return q(e,"share")}function se({tree:e},t,n){return e.fn[n]<0?"all":t.funcs[e.fn[n]][0]}function Gt({tree:e},t,n){let r=e.fn[n]<0?-1:t.funcs[e.
fn[n]][1];return r<0?"":t.files[r]+(e.line[n]?":"+Math.abs(e.line[n]):"")}function te({tree:e},t){return q(t*e.type.scale,
e.type.unit)}function W({tree:e},t){let n=e.whole??e.total[0];return X(n?t/n:0)}function Ce(e,t,n){let[r,o]=e.links?.[e.
funcs[t]?.[1]]??[-1,""];return r<0?"":e.folders[r]+o.replace("{}",String(Math.max(n,1)))}function ke(e,t){let n=document.
createElement("a");return n.href=e,n.rel="noopener noreferrer",n.textContent=t,n}var Re={user:"your code",dependency:"a \
dependency",std:"the standard library",runtime:"the runtime",label:"the value of a label"};function tt(e,t,n){let r=e.tree.
fn[n],o=e.tree.line[n]<0?"inlined":"";return r<0?"":[Re[j[t.funcs[r][2]]],Gt(e,t,n),o].filter(Boolean).join(" · ")}function Fe(e,t,n){
let r=e.tree,o=r.change?[se(e,t,n),tt(e,t,n),...He(r,n)]:[se(e,t,n),tt(e,t,n),te(e,r.total[n])+" total, "+W(e,r.total[n])+
" · "+te(e,r.self[n])+" self, "+W(e,r.self[n])],a=r.parent[n];a>0&&r.total[a]>0&&o.push(X(r.total[n]/r.total[a])+" of "+
Z(t,r.fn[a]));let l=(t.marks??[]).filter(s=>s.fn===r.fn[n]);return{lines:o,findings:[...new Set(l.map(s=>s.id+": "+t.findings[s.
finding]))]}}function De(e,t,n=0,r=0){if(e.hidden=!t,!t)return;let{lines:o,findings:a}=t;e.replaceChildren(...[...o,...a].
map((s,i)=>{let u=document.createElement("div");return u.textContent=s,i>=o.length&&(u.className="finding-line"),u}));let l=e.
getBoundingClientRect();e.style.left=Math.max(8,Math.min(n+14,innerWidth-l.width-8))+"px",e.style.top=(r+18+l.height>innerHeight?
Math.max(8,r-l.height-12):r+18)+"px"}function nt(e,t){let n=e.tree,r=[],{match:o}=e;if(o){let a=Xe(n,l=>o.has(l));r.push(
a.frames?["Found ",W(e,a.sum)," ("+te(e,a.sum)+") in "+me(a.frames)+" frames"]:["Found ","nothing",""])}if(e.selected>=0){
let a=Fe(e,t,e.selected);r.push(["",a.lines[0]," "+[...a.lines.slice(1,n.change?4:3),...a.findings].filter(Boolean).join(
" · "),Ce(t,n.fn[e.selected],Math.abs(n.line[e.selected]))])}else if(!e.match){let a=e.zoom?" in "+se(e,t,e.zoom):"";n.
change?r.push(["",se(e,t,e.zoom),": "+He(n,e.zoom).join(" · ")]):r.push(["",te(e,n.total[e.zoom]),(n.whole?" ("+W(e,n.total[e.
zoom])+")":"")+" of "+n.type.name+a+", "+me(n.n-1)+" frames"])}return r.map(([a,l,s,i])=>{let u=document.createElement("\
span"),d=document.createElement("b");return d.textContent=l,u.append(a,d,s),i&&u.append(" · ",ke(i,"source")),u})}function rt(e,t){
let n=document.createElement("button");return n.type="button",n.setAttribute("role","tab"),n.textContent=e,n.addEventListener(
"click",t),n}function Y(e,t){let n=document.createElement("span"),r=document.createElement("span");return r.className="k\
ey "+e,n.append(r,t),n}function ot(e,t){let n=e.tree;if(n.change)return at();let r={user:"your code",dependency:"depende\
ncies",std:"standard library",runtime:"runtime"},o=new Float64Array(j.length);for(let l=1;l<n.n;l++){let s=l;for(;J(t,n.
fn[s])&&n.parent[s]>0;)s=n.parent[s];J(t,n.fn[s])||(o[t.funcs[n.fn[s]][2]]+=n.self[l])}let a=j.flatMap((l,s)=>o[s]>0?[Y(
l,r[l]+" "+W(e,o[s]))]:[]);return n.fn.some(l=>J(t,l))&&a.push(Y("label","value of a label")),n.line.some(l=>l<0)&&a.push(
Y("inlined",Se+"inlined by the compiler")),n.fn.some(l=>e.marks.has(l))&&a.push(Y("mark","frame of a finding")),a}function st(e,t,n){
let r=new Set(e.tree.fn),o=new Map;for(let a of t.marks??[]){if(!r.has(a.fn))continue;let l=o.get(a.finding)??{id:a.id,fns:new Set};
l.fns.add(a.fn),o.set(a.finding,l)}return[...o].sort(([a],[l])=>a-l).map(([a,{id:l,fns:s}])=>{let i=document.createElement(
"div"),u=document.createElement("a");return i.setAttribute("role","group"),i.setAttribute("aria-label",l+": "+t.findings[a]),
u.href=(t.page??"")+"#finding-"+a,u.title=t.findings[a],u.textContent=l,i.append(u,...[...s].map(d=>{let f=document.createElement(
"button");return f.type="button",f.title=t.funcs[d][0],f.textContent=Me(t.funcs[d][0]),f.addEventListener("click",()=>n(
d)),f})),i})}var Vt=[0,.01,.05];function Qe(e){let t=n=>{let r=Float64Array.from(e.graph.self[n]);for(let[o,a]of e.graph.cut[n])r[o]+=
a;for(let o=e.n-1;o>0;o--)r[e.parent[o]]+=r[o];return r};e.sides=[t(0),t(1)],e.wholes=e.graph.wholes??[e.sides[0][0],e.sides[1][0]],
Ie(e)}function Ie(e){e.change=new Float64Array(e.n);let[t,n]=[e.sides,e.wholes],{diff:r,types:o}=e.graph,a=n[1]*o[1].scale;
for(let l=0;l<e.n;l++){let s=t[0][l]*o[0].scale-t[1][l]*o[1].scale,i=0;for(let u of[0,1])i+=r.sample[u]*t[u][l]*(1-t[u][l]/
n[u])*o[u].scale**2;Math.abs(s)>Math.max(2*Math.sqrt(Math.max(i,0)),r.noise*a)&&(e.change[l]=s/a)}}function _e(e){let t=0;
for(let n of Vt)Math.abs(e)>n&&t++;return Math.sign(e)*t}function _t(e){return(e>0?"+":"−")+X(Math.abs(e))}function $e(e){
return e===0?"":(e>0?"▲":"▼")+X(Math.abs(e)).replace(" ","")+" "}function He(e,t){let{types:n}=e.graph,r=e.sides[1][t]*
n[1].scale,o=e.sides[0][t]*n[0].scale,a=n[0].unit,l=o-r,s=e.wholes[1]*n[1].scale;return[q(r,a)+" "+n[1].name+", "+q(o,a)+
" "+n[0].name,e.change[t]===0?"no change beyond sampling error and noise":(l>0?"+":"")+q(l,a)+", "+_t(l/s)+" of total "+
n[1].name]}function at(){let e=["below 1 %","1 to 5 %","above 5 %"];return[...e.map((t,n)=>Y("more"+(n+1),"▲ more, "+t)),
...e.map((t,n)=>Y("less"+(n+1),"▼ less, "+t)),Y("none","no change beyond sampling error and noise")]}function we(e,t){return e.sides?e.sides.some(n=>n[t]>0):e.total[t]>0}function $t(e){let t=new Set;for(let n=1;n<e.n;n++)
e.parent[n]>0&&we(e,n)&&t.add(e.fn[e.parent[n]]);return t}function it(e){let{types:t}=e.graph,n=s=>{let{self:i,total:u}=ae(
e.sides?{...e,self:e.graph.self[s],total:e.sides[s]}:e),d=e.sides?t[s].scale:e.type.scale;return{flat:i.map(f=>f*d),cum:u.
map(f=>f*d)}},r=$t(e),o=n(0),a=e.sides?n(1):null,l=[];return o.cum.forEach((s,i)=>{let u={fn:i,path:[i],calls:r.has(i),flat:o.
flat[i],cum:s};a&&Object.assign(u,{flatChange:u.flat-a.flat[i],cumChange:s-a.cum[i]}),(s>0||a&&a.cum[i]>0)&&l.push(u)}),
l}function lt(e,t){let n=[];for(let r=t+1;r<e.end[t];r=e.end[r])we(e,r)&&n.push(r);return n}function ct(e,t){let n=t.tree??
pe(e,t.fn),{types:r}=n.graph;return lt(n,t.node??0).map(o=>{let a=i=>({flat:n.selves[i][o]*r[i].scale,cum:n.sides[i][o]*
r[i].scale}),l=n.sides?a(0):{flat:n.self[o]*n.type.scale,cum:n.total[o]*n.type.scale};if(n.sides){let i=a(1);Object.assign(
l,{flatChange:l.flat-i.flat,cumChange:l.cum-i.cum})}let s=n.fn[o];return{...l,fn:s,path:[...t.path,s],tree:n,node:o,calls:lt(
n,o).length>0}})}function Pe(e,t){let n=t==="flat"?"cum":"flat",r=(o,a)=>Math.abs(o[`${a}Change`]??o[a]);return e.sort((o,a)=>r(
a,t)-r(o,t)||r(a,n)-r(o,n)||o.fn-a.fn)}function Xt(e,t){return e===0?"0":(e>0?"+":"")+q(e,t)}function ut(e){let{unit:t}=e.
sides?e.graph.types[0]:e.type,n=(e.whole??e.total[0])*e.type.scale;return["flat","cum"].flatMap(r=>[[r,r==="flat"?"Flat":
"Cum",o=>q(o[r],t)],e.sides?["","change",o=>Xt(o[`${r}Change`],t)]:["","share",o=>X(n?o[r]/n:0)]])}function Ee(e,t){let n=[];for(let r=1;r<e.n;){if(e.fn[r]!==t){r++;continue}we(e,r)&&n.push(r),r=e.end[r]}return n}function ft(e,t){
let n=e.sides??[],r={parent:[-1],fn:[t],self:[0],total:[0],line:[0],most:[0],sides:n.map(()=>[0]),selves:n.map(()=>[0])},
o=new Map,a=e.funcs;function l(i,u){let d=i*a+u,f=o.get(d);if(f===void 0){f=r.fn.length,o.set(d,f),r.parent.push(i),r.fn.
push(u),r.self.push(0),r.total.push(0),r.line.push(0),r.most.push(0);for(let b of[...r.sides,...r.selves])b.push(0)}return f}
function s(i,u,d=u){r.total[i]+=e.total[u],e.total[d]>r.most[i]&&(r.most[i]=e.total[d],r.line[i]=e.line[d]),r.sides.forEach(
(f,b)=>{f[i]+=n[b][u]})}return{nodes:r,step:l,add:s}}function pe(e,t){let{nodes:n,step:r,add:o}=ft(e,t),a=[0];for(let l of Ee(
e,t))for(let s=l;s<e.end[l];s++){let i=e.depth[s]-e.depth[l];i>0&&(a[i]=r(a[i-1],e.fn[s])),o(a[i],s),n.self[a[i]]+=e.self[s],
n.selves.forEach((u,d)=>{u[a[i]]+=e.graph.self[d][s]})}return pt(e,n)}function mt(e,t){let{nodes:n,step:r,add:o}=ft(e,t);
for(let a of Ee(e,t)){let l=0;o(0,a);for(let s=e.parent[a];s>0;s=e.parent[s])l=r(l,e.fn[s]),o(l,a,s)}return pt(e,n)}function pt(e,t){
let n=t.fn.length,r=Array.from({length:n},()=>[]);for(let s=1;s<n;s++)r[t.parent[s]].push(s);let o={n,graph:e.graph,type:e.
type,whole:e.whole??e.total[0],funcs:e.funcs,fn:new Int32Array(n),line:new Int32Array(n),depth:new Int32Array(n),parent:new Int32Array(
n),end:new Int32Array(n),self:new Float64Array(n),total:new Float64Array(n),x:new Float64Array(n)};e.sides&&(o.sides=e.sides.
map(()=>new Float64Array(n)),o.selves=e.sides.map(()=>new Float64Array(n)),o.wholes=e.wholes);let a=[[0,-1,0,0]],l=0;for(;a.
length;){let[s,i,u,d]=a.pop(),f=l++;o.fn[f]=t.fn[s],o.parent[f]=i,o.depth[f]=u,o.x[f]=d,o.self[f]=t.self[s],o.total[f]=t.
total[s],o.line[f]=t.line[s],o.sides?.forEach((M,v)=>{M[f]=t.sides[v][s]}),o.selves?.forEach((M,v)=>{M[f]=t.selves[v][s]});
let b=r[s].sort((M,v)=>t.total[v]-t.total[M]||t.fn[M]-t.fn[v]),w=d;for(let M of b)w+=t.total[M];for(let M of b.reverse())
w-=t.total[M],a.push([M,f,u+1,w])}return Ae(o),o.sides&&Ie(o),o}function ae(e){let t=new Float64Array(e.funcs),n=new Float64Array(
e.funcs),r=new Int32Array(e.funcs),o=[];for(let a=1;a<e.n;a++){for(;o.length>=e.depth[a];)r[o.pop()]--;let l=e.fn[a];t[l]+=
e.self[a],r[l]===0&&(n[l]+=e.total[a]),r[l]++,o.push(l)}return{self:t,total:n}}function Ne(e,t=e.keys()){let n=-1;for(let r of t)
e[r]>(n<0?0:e[n])&&(n=r);return n}function dt(e,t){let n=t.toLowerCase().split("|").map(l=>l.trim()).filter(Boolean);if(!n.length)return null;let r=l=>n.some(
s=>l.includes(s)),o=(e.files??[]).map(l=>r(l.toLowerCase())),a=new Set;return e.funcs.forEach(([l,s],i)=>{(r(l.toLowerCase())||
o[s])&&a.add(i)}),a}function Yt(e,t){let n=new Uint8Array(e.n);for(let r=1;r<e.n;r++)n[r]=n[e.parent[r]]||t.has(e.fn[r])?
1:0;return n}function ht(e,{focus:t,ignore:n,from:r}){let[o,a,l]=[t,n,r].map(d=>d&&Yt(e,d)),s=d=>(!o||o[d])&&!(a&&a[d])&&
(!l||l[d]),i=(d,f)=>d.reduce((b,w)=>b+w,0)+e.graph.cut[f].reduce((b,[,w])=>b+w,0),u={...e.graph,wholes:e.graph.self.map(
i),lines:{fn:[],line:[],self:[],total:[]},self:e.graph.self.map(d=>d.map((f,b)=>s(b)?f:0)),cut:e.graph.cut.map(d=>d.filter(
([f])=>s(f)))};return ge(l?Qt(e,u,l):u,e.funcs)}function Qt(e,t,n){let r=[{depth:0,children:new Map}],o=new Int32Array(e.
n);for(let s=1;s<e.n;s++){if(!n[s])continue;let i=r[o[e.parent[s]]];i.children.has(e.fn[s])||(i.children.set(e.fn[s],r.length),
r.push({fn:e.fn[s],line:e.line[s],depth:i.depth+1,children:new Map})),o[s]=i.children.get(e.fn[s])}let a=s=>{let i=new Array(
r.length).fill(0);return s.forEach((u,d)=>{i[o[d]]+=u}),i},l=t.cut.map(s=>s.map(([i,u])=>[o[i],u]));return Jt({...t,self:t.
self.map(a),cut:l},r)}function Jt(e,t){let n=[...e.self[e.default]];for(let[s,i]of e.cut[e.default])n[s]+=i;for(let s=t.
length-1;s>=0;s--)for(let i of t[s].children.values())n[s]+=n[i];let r=[],o=[0];for(;o.length;){let s=o.pop();r.push(s);
for(let i of[...t[s].children.values()].sort((u,d)=>n[u]-n[d]))o.push(i)}let a=new Int32Array(t.length);r.forEach((s,i)=>{
a[s]=i});let l=r.slice(1);return{...e,fn:l.map(s=>t[s].fn),line:l.map(s=>t[s].line),up:l.map((s,i)=>t[r[i]].depth+1-t[s].
depth),self:e.self.map(s=>r.map(i=>s[i])),cut:e.cut.map(s=>s.map(([i,u])=>[a[i],u]))}}function Oe(e,t){if(e.hashes)return e.
hashes;let n=Be(t);e.hashes=new Uint32Array(e.n);for(let r=1;r<e.n;r++)e.hashes[r]=ze(e.hashes[e.parent[r]],n[e.fn[r]],e.
depth[r]);return e.hashes}function Be(e){return e.hashes??=e.funcs.map(([t])=>{let n=2166136261;for(let r=0;r<t.length;r++)
n=Math.imul(n^t.charCodeAt(r),16777619);return n}),e.hashes}function ze(e,t,n){return Math.imul(e^e>>>15^t,739982445)+n}
function Ke(e,t,n){return n?Math.max(Oe(e,t).indexOf(n),0):0}function Zt(e,t,n){let r=e.graph.lines,o=[];if(r.fn?.forEach((s,i)=>{s===n&&o.push({line:r.line[i],self:r.self[t][i],total:r.
total[t][i]})}),o.length)return{rows:o,exact:!0};let a=new Map,l=s=>(a.has(s)||a.set(s,{line:s,self:0,total:0}),a.get(s));
for(let s of Ee(e,n))l(e.line[s]).total+=e.total[s];for(let s=1;s<e.n;s++)e.fn[s]===n&&(l(e.line[s]).self+=e.self[s]);return{
rows:[...a.values()].sort((s,i)=>s.line-i.line),exact:!1}}function N(e,t,n){let r=document.createElement(e);return r.append(
t),n&&(r.className=n),r}function en(e){let t="http://www.w3.org/2000/svg",n=document.createElementNS(t,"svg");n.setAttribute(
"class","share"),n.setAttribute("viewBox","0 0 100 6"),n.setAttribute("preserveAspectRatio","none"),n.setAttribute("aria\
-hidden","true");for(let[r,o]of[["track",100],["fill",Math.min(100*e,100)]]){let a=document.createElementNS(t,"rect");a.
setAttribute("class",r),a.setAttribute("width",String(o)),a.setAttribute("height","6"),n.append(a)}return n}function gt(e,t,n,r){
let o=e.tree,{rows:a,exact:l}=Zt(o,n,r),s=document.createElement("table"),i=document.createElement("tr");for(let[b,w]of[
["Line","num"],["Self","num"],["Share","num"],["With callees","num"],["Share","num"],["",""]]){let M=N(b?"th":"td",b,w);
b&&(M.scope="col"),i.append(M)}let u=document.createElement("tbody"),d=o.whole??o.total[0];for(let b of a){let w=document.
createElement("tr"),M=Ce(t,r,b.line),v=N("th",M?ke(M,String(b.line)):b.line?String(b.line):"–","num");v.scope="row",w.
append(v,N("td",te(e,b.self),"num"),N("td",W(e,b.self),"num"),N("td",te(e,b.total),"num"),N("td",W(e,b.total),"num"),N("\
td",en(d?b.total/d:0),"barcell")),u.append(w)}if(s.append(N("thead",i),u),l)return[s];let f=N("p","The page has every li\
ne only for the heaviest functions. In this function, each frame counts at its heaviest line.","note");return[s,f]}var G=(()=>{let e={width:0,height:0,top:0,match:null,marks:new Map},t=[],n=[],r=[],o,a,l,s,i,u,d,f=0,b=0,w="graph",M=!1,
v=!0,T=-1,x=[],R=0,z=null,D=()=>{};function A(c){return a.querySelector(c)}function U(c,m={}){return{tree:c,zoom:0,base:0,
dir:1,from:0,hover:-1,selected:-1,...m}}function _(){return[U(t[f],{dir:M?-1:1})]}function B(c=R){return{...e,...x[c]}}function I(){
performance.clearMeasures("flame");let c=performance.now();if(e.width=l.clientWidth,!e.width)return;let m=Ge(x,e.width)*
H,g=parseFloat(getComputedStyle(l).maxHeight)||m;e.height=Math.min(m,g),A(".spacer").style.height=m-e.height+"px",v&&(l.
scrollTop=M&&w==="graph"?m:0),v=!1,e.top=Math.min(l.scrollTop,m-e.height);let y=devicePixelRatio||1,[L,$]=[Math.round(e.
width*y),Math.round(e.height*y)];(s.width!==L||s.height!==$)&&(s.width=L,s.height=$,s.style.width=e.width+"px",s.style.height=
e.height+"px"),i.setTransform(y,0,0,y,0,0),i.clearRect(0,0,e.width,e.height),x.forEach((cn,Pt)=>Ve(i,B(Pt),o)),performance.
measure("flame",{start:c,end:performance.now()})}function K(){d.replaceChildren(...nt(B(),o)),w==="lines"&&T>=0&&A(".lin\
es").replaceChildren(...gt(oe(),o,b,T))}function ne(c){x[0].zoom=c,v||=M,I(),K(),D(!0)}function O(c,m){for(let L of x)L.
selected=-1;R=c;let g=x[c];g.selected=m;let y=g.base+g.dir*g.tree.depth[m]*H;(y<l.scrollTop||y+H>l.scrollTop+e.height)&&
(l.scrollTop=y-e.height/2),I(),K(),D(!1)}function le(c){e.match=dt(o,c),w!=="graph"&&Q(),I(),K(),D(!1)}function re(){for(let c of x)
c.selected=-1;x[0].zoom=0,R=0,A("input").value="",v=!0,D(!0),le("")}function ie(c){b=c;let m=t[f];if(ve(m,c),w==="graph"){
let g=x[0];for(;g.zoom>0&&m.total[g.zoom]===0;)g.zoom=m.parent[g.zoom]}else k(T);A(".types select").value=String(c),A(".\
legend").replaceChildren(...ot({...e,tree:m},o)),I(),K(),D(!0)}function p(c){f=c;let m=o.graphs[c];n[c]??=ge(m,o.funcs.length),
t[c]??=z?ht(n[c],z):n[c],r.length=0,x=_(),R=0,v=!0,a.querySelectorAll(".tabs button").forEach((y,L)=>{y.setAttribute("ar\
ia-selected",String(L===c)),y.tabIndex=L===c?0:-1}),A(".types select").replaceChildren(...m.types.map((y,L)=>new Option(
y.name,String(L),!1,L===m.default))),A(".types").hidden=m.types.length<2,A(".marks").replaceChildren(...st(B(),o,he)),ve(
t[c],m.default),w!=="graph"&&(T=h()),ie(m.default)}function h(){let{self:c,total:m}=ae(t[f]);return T>=0&&m[T]>0?T:Math.
max(Ne(c),0)}function E(c){let m=x[R];m.selected>=0&&m.tree.fn[m.selected]>=0&&(T=m.tree.fn[m.selected]),w=c,r.length=0;
for(let g of a.querySelectorAll(".modes button"))g.setAttribute("aria-pressed",String(g.dataset.mode===w));a.dataset.mode=
w,A(".function").hidden=w==="graph",A(".lines").hidden=w!=="lines",l.hidden=w==="lines",A(".legend").hidden=w==="lines",
A("[data-up]").disabled=w!=="graph",v=!0,w==="graph"?(x=_(),R=0):k(h()),I(),K(),D(!0)}function S(){if(w!=="graph")return;
C(!M);let c=x[0];v=!0,I(),D(!0),c.selected>=0&&O(0,c.selected),K()}function C(c){M=c,A("[data-up]").setAttribute("aria-p\
ressed",String(M)),w==="graph"&&(x[0].dir=M?-1:1)}function k(c){T=c;let m=t[f];R=0,x=w==="sandwich"?[U(pe(m,c),{selected:0}),
U(mt(m,c),{dir:-1,from:1})]:[U(pe(m,c),{selected:0})],Q(),w==="sandwich"&&(e.width=l.clientWidth,I(),l.scrollTop=Math.max(
0,x[0].base-e.height/2))}function F(c){c<0||c===T||(r.push(T),k(c),I(),K(),D(!0))}function Q(){let{self:c,total:m}=ae(t[f]),
g=[...m.keys()].filter(L=>m[L]>0&&(!e.match||e.match.has(L))).sort((L,$)=>m[$]-m[L]||c[$]-c[L]).slice(0,300);g.includes(
T)||g.unshift(T);let y=L=>W(oe(),m[L])+"  "+Z(o,L);A(".function select").replaceChildren(...g.map(L=>new Option(y(L),String(
L),!1,L===T)))}function oe(){return{...e,tree:t[f]}}function he(...c){if(w!=="graph"){F(c.at(-1));return}let m=t[f],g=Ye(
m,c);if(g<0)return;let y=g;for(;y>0&&m.total[g]/m.total[y]>.12;)y=m.parent[y];x[0].zoom=y,v||=M,I(),D(!0),O(0,g)}function Tt(){
let{tree:c,zoom:m,selected:g}=x[0],y=g<0?m:g,L=()=>O(0,g<0?m:be(c,y)),$=()=>{c.parent[y]<0||(y===m&&ne(c.parent[y]),O(0,
c.parent[y]))};return{ArrowDown:M?$:L,ArrowUp:M?L:$,u:S,ArrowLeft:()=>{y!==m&&O(0,ue(c,y,-1))},ArrowRight:()=>{y!==m&&O(
0,ue(c,y,1))},Enter:()=>ne(y),Escape:()=>{m>0?ne(c.parent[m]):re()},Home:re}}function St(){let{tree:c,selected:m}=x[R],g=Math.
max(m,0),y=()=>O(R,be(c,g)),L=()=>O(c.parent[g]>0?R:0,Math.max(c.parent[g],0));return{ArrowDown:R===0?y:L,ArrowUp:()=>{R===
1?y():g>0?L():x[1].tree.n>1&&O(1,be(x[1].tree,0))},ArrowLeft:()=>O(R,ue(c,g,-1)),ArrowRight:()=>O(R,ue(c,g,1)),Enter:()=>F(
c.fn[g]),Escape:()=>Mt(),Home:()=>O(0,0)}}function Mt(){r.length?(k(r.pop()),I(),K(),D(!0)):E("graph")}function qe(c){let m=w===
"graph"?Tt():St();!m[c.key]||c.ctrlKey||c.metaKey||c.altKey||(c.preventDefault(),m[c.key]())}function Lt(){s.addEventListener(
"pointermove",c=>{let[m,g]=Le(x,e,c.offsetX,c.offsetY);x.some((y,L)=>y.hover!==(L===m?g:-1))&&(x.forEach((y,L)=>{y.hover=
L===m?g:-1}),I()),c.pointerType==="mouse"&&De(u,g<0?null:Fe(B(m),o,g),c.clientX,c.clientY)}),s.addEventListener("pointer\
leave",()=>{for(let c of x)c.hover=-1;De(u,null),I()}),s.addEventListener("click",c=>{let[m,g]=Le(x,e,c.offsetX,c.offsetY);
if(!(g<0)){if(w==="sandwich"){F(x[m].tree.fn[g]);return}x[0].selected=g,ne(g)}})}function At(){let c=A(".tabs");c.replaceChildren(
...o.graphs.map((m,g)=>rt(m.title,()=>p(g)))),c.addEventListener("keydown",m=>{let g={ArrowRight:1,ArrowLeft:-1}[m.key];
g&&(p((f+g+o.graphs.length)%o.graphs.length),c.children[f].focus())})}function vt(c,m){if(a=document.getElementById("fla\
me"),!(!a||!c.graphs?.length)){o=c,l=A(".stage"),s=l.querySelector("canvas"),i=s.getContext("2d"),u=A(".tip"),d=A(".stat\
us");for(let g of o.marks??[]){let y=e.marks.get(g.fn)??[];e.marks.set(g.fn,y.includes(g.id)?y:[...y,g.id])}At(),Lt(),l.
addEventListener("keydown",qe),l.addEventListener("scroll",I);for(let g of a.querySelectorAll(".modes button"))g.addEventListener(
"click",()=>E(g.dataset.mode));A(".types select").addEventListener("change",g=>ie(Number(g.target.value))),A(".function \
select").addEventListener("change",g=>F(Number(g.target.value))),A("input").addEventListener("input",g=>le(g.target.value)),
A("input").addEventListener("keydown",Ct),A(".reset").addEventListener("click",re),A("[data-up]").addEventListener("clic\
k",S),p(o.marks?.[0]?.graph??0),m&&(D=m),new ResizeObserver(I).observe(a),P.onChange(I)}}function Ct(c){if(c.key!=="Ente\
r"||!e.match?.size)return;let{total:m}=ae(t[f]),g=Ne(m,e.match);g>=0&&he(g)}function kt(c){let m=o.marks[c];w!=="graph"&&
E("graph"),f!==m.graph&&p(m.graph),he(m.fn),a.scrollIntoView({block:"start"}),l.focus({preventScroll:!0})}function Rt(c){
f!==c&&p(c),l.focus({preventScroll:!0})}function Ft(){let{zoom:c,selected:m}=x[0],g=y=>w==="graph"&&y>0?Oe(t[f],o)[y]:0;
return{graph:f,type:o.graphs[f].types[b].name,view:w,zoom:g(c),at:g(m),up:M?"1":"",fn:w==="graph"?"":o.funcs[T]?.[0]??"",
find:A("input").value}}function Dt(c){let m=D;D=()=>{},z=c.filter,t.length=0,C(c.up==="1"),p(Math.min(c.graph,o.graphs.length-
1)),w!=="graph"&&E("graph");let g=o.graphs[f].types.findIndex(y=>y.name===c.type);if(g>=0&&g!==b&&ie(g),A("input").value=
c.find,le(c.find),c.view==="sandwich"||c.view==="lines")T=o.funcs.findIndex(([y])=>y===c.fn),E(c.view);else{x[0].zoom=Ke(
t[f],o,c.zoom),I();let y=Ke(t[f],o,c.at);y>0?O(0,y):K()}D=m}function Ht(){return{tree:t[f],column:b,match:e.match}}function It(){
let c=x[R];return c.selected>0||w!=="graph"&&c.selected===0?se(B(),o,c.selected):""}return{start:vt,showMark:kt,showGraph:Rt,
reset:re,turn:S,state:Ft,restore:Dt,shownFunctions:Ht,selectedName:It,jump:he,keys:qe}})();var bt=[["graph","graph"],["type","type"],["view","view"],["fn","fn"],["up","up"],["zoom","zoom"],["at","at"],["q","find"]];
function yt(){let e=G.state();return{write:t=>{let n=G.state();for(let[r,o]of bt)n[o]!==e[o]&&t.set(r,String(n[o]))},read:t=>{
let n=(r,o)=>Number(t.get(r)??o)||0;G.restore({graph:Math.max(0,Math.trunc(n("graph",e.graph))),type:t.get("type")??e.type,
view:t.get("view")??e.view,fn:t.get("fn")??"",up:t.get("up")??"",zoom:n("zoom",0),at:n("at",0),find:t.get("q")??"",filter:null})}}}
var wt=e=>bt.some(([t])=>e.has(t));var de=(()=>{let e=[],t="",n=!1,r=!1,o=()=>{};function a(){let u=new URLSearchParams;for(let d of e)d.write(u);return u.
size?"#~"+u.toString().replaceAll("%2C",","):""}function l(u){r||=u,!n&&(n=!0,queueMicrotask(()=>{let d=a();if(d!==t){let f=new URL(
location.href);f.hash=d,r?history.pushState({view:d},"",f):history.replaceState({view:d},"",f),t=d}n=r=!1}))}function s(){
let u=location.hash&&!location.hash.startsWith("#~")?location.hash.slice(1):"",d=history.state?.view;if(u&&typeof d!="st\
ring"){o(u),t=a(),history.replaceState({view:t},"");return}let f=u?String(d):location.hash;if(f===t)return;let b=new URLSearchParams(
f.slice(2));for(let w of e)w.read(b);t=a()}function i(u,d){return e=u,d&&(o=d),addEventListener("popstate",s),addEventListener(
"hashchange",s),s(),new URLSearchParams(t.slice(2))}return{start:i,changed:l}})();var tn=50,xe=(()=>{let e=new Map,t=new Map,n=!1;function r(s){if(s.id)return s.id;let i=s.closest("[id]")??document.body,
u=[...i.querySelectorAll("details:not([id])")].filter(d=>(d.closest("[id]")??document.body)===i);return i.id+"."+u.indexOf(
s)}function o(s=de.changed){for(let u of document.querySelectorAll("details"))e.set(u,u.open),t.set(r(u),u);document.addEventListener(
"toggle",()=>{n||s(!0)},!0);let i=[];addEventListener("beforeprint",()=>{n=!0,i=[...document.querySelectorAll("details.f\
inding:not([open])")];for(let u of i)u.open=!0}),addEventListener("afterprint",()=>{for(let u of i)u.open=!1;n=!1})}let a={
write:s=>{let i=[...t].filter(([,u])=>u.open!==e.get(u));for(let[u,d]of[["unfold",!0],["fold",!1]]){let f=i.filter(([,b])=>b.
open===d).map(([b])=>b).slice(0,tn);f.length&&s.set(u,f.join(","))}},read:s=>{let i=f=>new Set((s.get(f)??"").split(",")),
u=i("unfold"),d=i("fold");for(let[f,b]of t)b.open=u.has(f)||e.get(b)&&!d.has(f)}};function l(s){let i=document.getElementById(
s),u=i?.closest("details");!u||u.open||(u.open=!0,i.scrollIntoView())}return{start:o,part:a,follow:l}})();var nn=50;function rn(e,t,n,{shown:r,show:o,changed:a}){let l=new Set,s=new WeakMap,i="flat",u=30,d=[],f,b;function w(){
let p=r(),h=[p.tree,p.column,p.match,i,u];if(h.every((k,F)=>k===d[F]))return;d=h,f=p.tree,b=ut(f);let E=s.get(_(document.
activeElement))?.key,S=Pe(it(f).filter(k=>!p.match||p.match.has(k.fn)),i);e.replaceChildren(...S.length?M(S):[N("p","No \
function matches.","empty")]);let C=U();C.length&&(C[0].tabIndex=0),E!==void 0&&B(C.find(k=>s.get(k).key===E)??C[0])}function M(p){
let h=V("table","treegrid","cards functions");h.setAttribute("aria-label","Functions"),h.setAttribute("aria-describedby",
"functions-how");let E=V("thead","rowgroup");E.append(v());let S=V("tbody","rowgroup");if(S.append(...p.slice(0,u).flatMap(
(k,F)=>T(k,F,p.length))),h.append(E,S),p.length<=u)return[h];let C=N("button","Show more: "+me(p.length-u)+" functions a\
re left","quiet more");return C.type="button",C.addEventListener("click",()=>{let k=u;u+=200,a(!1),B(U().filter(F=>F.ariaLevel===
"1")[k])}),[h,C]}function v(){let p=V("tr","row"),h=V("th","columnheader");return h.scope="col",h.append("Function"),p.append(
h,...b.map(([E,S])=>{let C=V("th","columnheader","num");if(C.scope="col",!E)return C.append(S),C;let k=N("button",S+(E===
i?" ▾":""),"link");return k.type="button",k.dataset.sort=E,k.addEventListener("click",()=>{i=E,a(!0),e.querySelector("\
[data-sort="+E+"]")?.focus()}),E===i&&C.setAttribute("aria-sort","descending"),C.append(k),C})),p}function T(p,h,E){p.key=
on(n,p.path);let S=V("tr","row");return s.set(S,p),S.tabIndex=-1,S.setAttribute("aria-level",String(p.path.length)),S.setAttribute(
"aria-posinset",String(h+1)),S.setAttribute("aria-setsize",String(E)),p.calls&&S.setAttribute("aria-expanded",String(l.has(
p.key))),S.append(R(S,p),...b.map(([C,k,F],Q)=>{let oe=V("td","gridcell","num");return oe.append(F(p)),oe.dataset.label=
C?k.toLowerCase():b[Q-1][1].toLowerCase()+" "+k,oe})),p.calls&&l.has(p.key)?[S,...x(p)]:[S]}function x(p){let h=Pe(ct(f,
p),i);return h.flatMap((E,S)=>T(E,S,h.length))}function R(p,h){let E=V("th","rowheader");E.scope="row";let S=N("span",h.
calls?l.has(h.key)?"▾":"▸":"","twist");S.setAttribute("aria-hidden","true"),S.addEventListener("click",()=>{h.calls&&
I(p)});let C=N("button",n.funcs[h.fn][0],"link symbol");C.type="button",C.tabIndex=-1,C.addEventListener("click",()=>o(h.
path));let k=N("div",C);k.append(N("span",[...z(h.fn),...D(h.fn)].join(" · "),"sub"));let F=N("div",S,"tree");return F.
style.setProperty("--above",String(h.path.length-1)),F.append(k),E.append(F),E}function z(p){let[,h,E]=n.funcs[p];return E===
Te?[j[E],n.files[h]]:[j[E],...h<0?[]:[n.files[h].split("/").slice(-2).join("/")]]}function D(p){return[...new Set((n.marks??
[]).filter(h=>h.fn===p).map(h=>h.id))]}function A(p,h){let E=b.map(([,,F])=>F(h)),S=h.path.slice(0,-1).map(F=>Z(n,F)).reverse(),
C=D(h.fn),k=h.calls?p.ariaExpanded==="true"?"What it calls is open":"Right shows what it calls":"It calls nothing that w\
as counted";return[n.funcs[h.fn][0]+(S.length?", called by "+S.join(", by "):""),[["itself",0],["with what it calls",2]].
map(([F,Q])=>E[Q]+" "+F+", "+E[Q+1]+(f.sides?" against the base":" of all")).join("; "),(J(n,h.fn)?"It is ":"In ")+[Re[j[n.
funcs[h.fn][2]]],...z(h.fn).slice(1)].join(", "),...C.length?["A place of "+C.join(", ")]:[],k].join(". ")+"."}function U(){
return[...e.querySelectorAll("tbody tr")]}function _(p){return p&&e.contains(p)?p.closest("tbody tr"):null}function B(p){
p?.focus()}function I(p){let h=s.get(p),E=!l.delete(h.key);if(E)l.add(h.key),p.after(...x(h));else for(;Number(p.nextElementSibling?.
ariaLevel)>h.path.length;)p.nextElementSibling.remove();p.setAttribute("aria-expanded",String(E)),p.querySelector(".twis\
t").textContent=E?"▾":"▸",_(document.activeElement)===p?t.textContent=A(p,h):e.querySelector('tbody tr[tabindex="0"]')||
(p.tabIndex=0),a(!1)}function K(p){let h=p.previousElementSibling;for(;h&&Number(h.ariaLevel)>=Number(p.ariaLevel);)h=h.
previousElementSibling;return h}function ne(p){let h=_(p.target);if(!h||p.ctrlKey||p.metaKey||p.altKey)return;let E=h.ariaExpanded,
S={ArrowDown:()=>B(h.nextElementSibling),ArrowUp:()=>B(h.previousElementSibling),ArrowRight:()=>{E==="true"?B(h.nextElementSibling):
E&&I(h)},ArrowLeft:()=>{E==="true"?I(h):B(K(h))},Home:()=>B(U()[0]),End:()=>B(U().at(-1)),Enter:()=>o(s.get(h).path)}[p.
key];S&&(p.preventDefault(),p.stopPropagation(),S())}function O(p){let h=_(p.target);if(!h)return;for(let S of e.querySelectorAll(
'tbody tr[tabindex="0"]'))S.tabIndex=-1;h.tabIndex=0;let E=A(h,s.get(h));t.textContent!==E&&(t.textContent=E)}e.addEventListener(
"keydown",ne),e.addEventListener("focusin",O);function le(){return{sort:i,open:[...l].slice(-nn).map(p=>p.toString(16)).
join(".")}}function re({sort:p,open:h}){i=p==="cum"?"cum":"flat",l.clear();for(let E of h.split("."))E&&l.add(Number.parseInt(
E,16));d=[]}function ie(){let p=s.get(_(document.activeElement));return p?n.funcs[p.fn][0]:""}return{refresh:w,state:le,
restore:re,focusedName:ie}}function V(e,t,n){let r=document.createElement(e);return r.setAttribute("role",t),n&&(r.className=
n),r}function on(e,t){let n=Be(e);return t.reduce((r,o,a)=>ze(r,n[o],a+1),0)>>>0}function sn(e){let t=document.querySelector(
".stage");G.jump(...e),t.scrollIntoView({block:"center"}),t.focus({preventScroll:!0})}function Et(e,t){let n=document.getElementById(
"functions");if(!n)return G.start(e,t),[];let r,o=()=>{n.open&&r.refresh()},a=l=>{o(),t(l)};return r=rn(document.getElementById(
"function-table"),document.getElementById("row-said"),e,{shown:G.shownFunctions,show:sn,changed:a}),G.start(e,a),n.addEventListener(
"toggle",o),[{write:l=>{let{sort:s,open:i}=r.state();s!=="flat"&&l.set("sort",s),i&&l.set("rows",i)},read:l=>{r.restore(
{sort:l.get("sort"),open:l.get("rows")??""}),o()}}]}document.documentElement.classList.add("js");P.start();xe.start();var xt=JSON.parse(document.getElementById("data").textContent),
an=Et(xt.flame,de.changed),ln=de.start([...xt.flame.graphs?.length?[yt()]:[],...an,xe.part],xe.follow);wt(ln)&&document.
getElementById("profiles")?.scrollIntoView();je();})();

// Made of app/report/web/comparison.ts by `make web`.
"use strict";(()=>{function We(){for(let e of document.querySelectorAll("[data-copy]"))e.addEventListener("click",async()=>{let t=document.
getElementById(e.dataset.copy);try{await navigator.clipboard.writeText(t.textContent),e.textContent="Copied"}catch{getSelection().
selectAllChildren(t),e.textContent="Selected"}})}var P=(()=>{let e=document.documentElement,t=matchMedia("(prefers-color-scheme: dark)"),n=[],r=document.createElement("s\
pan");r.hidden=!0,document.body.append(r);let o="",a=!1,l=()=>!a&&(o?o==="dark":t.matches);function s(){e.style.colorScheme=
a?"light":o;let c=document.getElementById("theme");c.textContent=l()?"Light":"Dark";for(let m of n)m()}function i(){document.
getElementById("theme").addEventListener("click",()=>{o=l()?"light":"dark",s()}),t.addEventListener("change",s),addEventListener(
"beforeprint",()=>{a=!0,s()}),addEventListener("afterprint",()=>{a=!1,s()}),s()}function u(c){return r.style.color="var(\
--"+c+")",getComputedStyle(r).color}function d(c){return getComputedStyle(e).getPropertyValue("--"+c).trim()}return{start:i,
color:u,font:d,onChange:c=>n.push(c)}})();var j=["user","dependency","std","runtime","label"],xe=j.indexOf("label"),Te="↳ ",H=19,Ge=.5,ce=4;function Nt(){return{
owner:j.map(e=>P.color("f-"+e)),text:P.color("f-text"),rest:P.color("f-rest"),match:P.color("f-match"),mark:P.color("f-m\
ark"),markText:P.color("f-mark-text"),more:[1,2,3].map(e=>P.color("f-more"+e)),less:[1,2,3].map(e=>P.color("f-less"+e)),
none:P.color("f-none"),ground:P.color("raised"),focus:P.color("text"),muted:P.color("muted")}}function Me(e){let t=e.search(
/[[(]/);return e.slice(e.lastIndexOf("/",t<0?e.length:t)+1)}function J(e,t){return t>=0&&e.funcs[t][2]===xe}function Z(e,t){
return J(e,t)?e.funcs[t][0]:Me(e.funcs[t][0])}function qt(e,t,n){let r=e.depth[t];for(let o=t;o<e.end[t];){if(e.total[o]*
n<Ge){o=e.end[o];continue}e.depth[o]>r&&(r=e.depth[o]),o++}return r+1}function Ve(e,t){let n=e.map(({tree:o,zoom:a})=>qt(
o,a,o.total[a]>0?t/o.total[a]:0));if(e.length===1){let o=Math.max(n[0],3);return e[0].base=e[0].dir>0?0:(o-1)*H,o}let r=n[1]-
1;for(let o of e)o.base=r*H;return Math.max(r+n[0],3)}function Le(e,t,n,r){let o=Math.floor((r+t.top-e[0].base)/H),a=o<0&&
e.length>1?1:0,{tree:l,zoom:s,dir:i}=e[a];if(o*i<0)return[a,-1];let u=Math.abs(o);if(u<l.depth[s]){let c=s;for(;c>=0&&l.
depth[c]>u;)c=l.parent[c];return[a,c]}let d=l.x[s]+n/t.width*l.total[s];for(let c=s;c<l.end[s];){if(d<l.x[c]||d>=l.x[c]+
l.total[c]){c=l.end[c];continue}if(l.depth[c]===u)return[a,c];c++}return[a,-1]}function _e(e,t,n){let{tree:r,zoom:o,width:a,
height:l,top:s,base:i,dir:u,from:d}=t,c=Nt(),m=r.total[o]>0?a/r.total[o]:0,y=new Float64Array(4096).fill(-1);e.font="11.\
5px "+P.font("mono"),e.textBaseline="middle";let E=e.measureText("m").width,M={ctx:e,c,glyph:E,view:t,data:n,t:r};for(let T=r.
parent[o];T>=0;T=r.parent[T])Ue(M,T,0,i+u*r.depth[T]*H-s,a,!0);for(let T=o;T<r.end[o];){let x=i+u*r.depth[T]*H-s,R=r.total[T]*
m;if((u>0?x>l:x<-H)||R===0){T=r.end[T];continue}if(r.depth[T]<d){T++;continue}let q=(r.x[T]-r.x[o])*m;if(R<Ge){let D=Math.
floor(q);x>-H&&x<l&&y[r.depth[T]]<D&&(e.fillStyle=c.rest,e.fillRect(D,x,1,H-1),y[r.depth[T]]=D),T=r.end[T];continue}x>-H&&
x<l&&Ue(M,T,q,x,R,!1),T++}}function Kt(e,t,n,r){if(!t.change)return r<0?e.rest:e.owner[r];let o=$e(t.change[n]);return o>
0?e.more[o-1]:o<0?e.less[-o-1]:e.none}function Ue({ctx:e,c:t,glyph:n,view:r,data:o,t:a},l,s,i,u,d){let c=a.fn[l],m=c<0?-1:
o.funcs[c][2],y=r.match&&c>=0&&r.match.has(c),E=d||r.match&&!y;e.globalAlpha=E?.4:a.change?1:[1,.86,.93][c<0?0:c%3],e.fillStyle=
y?t.match:Kt(t,a,l,m);let M=u>3?1:0;e.fillRect(s,i,u-M,H-1),y&&(e.fillStyle=t.text,e.fillRect(s,i+H-3,u-M,2)),e.globalAlpha=
d?.75:1;let T=s+ce,x=c<0?void 0:r.marks.get(c);x&&(T=zt(e,t,x,s,i,u-M,n));let R=a.change?Xe(a.change[l]):"",q=a.line[l]<
0?Te:"";jt(e,R+q+(c<0?"all":Z(o,c)),t.text,T,i,s+u-ce,n),e.globalAlpha=1,(l===r.selected||l===r.hover)&&(e.strokeStyle=t.
focus,e.lineWidth=l===r.selected?2:1,e.strokeRect(s+1,i+1,Math.max(u-M-2,1),H-3))}function zt(e,t,n,r,o,a,l){if(e.fillStyle=
t.mark,a<5)return e.fillRect(r,o,a,H-1),r+ce;e.strokeStyle=t.mark,e.lineWidth=2,e.strokeRect(r+1,o+1,a-2,H-3);let s=n.join(
" "),i=s.length*l+8;return i>a?r+ce:(e.fillRect(r,o,i,H-1),e.fillStyle=t.markText,e.fillText(s,r+4,o+H/2),r+i+ce)}function jt(e,t,n,r,o,a,l){
let s=Math.floor((a-Math.max(r,0))/l);s<2||(e.fillStyle=n,e.fillText(t.length<=s?t:t.slice(0,s-1)+"…",Math.max(r,0),o+
H/2))}function ge(e,t){let n=(e.fn??[]).length+1,r={n,graph:e,funcs:t,fn:new Int32Array(n),line:new Int32Array(n),depth:new Int32Array(
n),parent:new Int32Array(n),end:new Int32Array(n),self:new Float64Array(n),total:new Float64Array(n),x:new Float64Array(
n)};r.fn[0]=-1,r.parent[0]=-1;for(let o=1;o<n;o++){r.fn[o]=e.fn[o-1],r.line[o]=e.line[o-1];let a=o-1;for(let l=e.up[o-1];l>
0;l--)a=r.parent[a];r.parent[o]=a,r.depth[o]=r.depth[a]+1}return Ae(r),r}function Ae(e){for(let t=e.n-1;t>=0;t--)e.end[t]=
Math.max(e.end[t],t+1),t>0&&(e.end[e.parent[t]]=Math.max(e.end[e.parent[t]],e.end[t]))}function ke(e,t){let{self:n,total:r,
x:o,parent:a,n:l}=e;n.set(e.graph.self[t]),r.set(e.graph.self[t]);for(let[i,u]of e.graph.cut[t])r[i]+=u;for(let i=l-1;i>
0;i--)r[a[i]]+=r[i];let s=new Float64Array(l);for(let i=1;i<l;i++){let u=a[i];o[i]=o[u]+s[u],s[u]+=r[i]}e.type=e.graph.types[t],
e.whole=e.graph.wholes?.[t],e.graph.diff&&!e.change&&Je(e)}function Ye(e,t){let n=0,r=0,o=0;for(let a=1;a<e.n;a++)t(e.fn[a])&&
(e.total[a]>0&&n++,a>=o&&(r+=e.total[a],o=e.end[a]));return{frames:n,sum:r}}function Qe(e,t){let n=t.length-1,r=-1;for(let o=1;o<
e.n;o++){if(e.fn[o]!==t[n]||r>=0&&e.total[o]<=e.total[r])continue;let a=n;for(let l=e.parent[o];a>0&&l>0&&e.fn[l]===t[a-
1];l=e.parent[l])a--;a===0&&(r=o)}return r}function ue(e,t,n){let r=e.parent[t];if(r<0)return t;let o=t,a=!1;for(let l=r+
1;l<e.end[r];l=e.end[l])if(e.total[l]!==0){if(n>0&&a)return l;if(l===t){if(n<0)return o;a=!0}o=l}return t}function be(e,t){
let n=t;for(let r=t+1;r<e.end[t];r=e.end[r])e.total[r]>0&&(n===t||e.total[r]>e.total[n])&&(n=r);return n}var Ze=[[1099511627776," TiB",1],[1073741824," GiB",1],[1048576," MiB",1],[1024," KiB",1],[1," B",0]],Wt=[[86400," days",
2],[3600," h",2],[60," min",10],[1," s",1],[.001," ms",1],[1e-6," µs",1],[1e-9," ns",0]],Ut=[[1e12," T",1],[1e9," G",1],
[1e6," M",1],[1e3," k",0]];function tt(e){return Number(e.toPrecision(3))}function et(e){return e.replace(/\.?0+(e|$)/,"\
$1")}function ee(e){if(e<0)return"−"+ee(-e);if(e===0)return"0";if(e<5e-7)return"<0.000001";if(e>=1e15)return et(e.toExponential(
2));if(e>=99.95)return e.toFixed(0).replace(/\B(?=(\d{3})+$)/g,",");let t=2-Math.floor(Math.log10(tt(e))+1e-9),n=e.toFixed(
Math.min(t,6));return n.includes(".")?et(n):n}function Gt(e){return Math.abs(e)<1?Number(e.toPrecision(2)):Math.round(10*
e)/10}function fe(e,t){if(e<0)return"−"+fe(-e,t);for(let[n,r,o]of t)if(e>0?tt(e/n)>=o:n===1)return ee(e/n)+r;return ee(
e)}function ye(e){return e<0?"−"+ye(-e):Math.round(e)<1e4?ee(e):fe(e,Ut)}function Vt(e,t){switch(t){case"bytes":return fe(
e,Ze);case"bytes/s":return fe(e,Ze)+"/s";case"seconds":return fe(e,Wt);case"share":return ee(Gt(100*e))+" %";case"cores":
return ee(e)==="1"?"1 core":ee(e)+" cores";case"1/s":return ye(e)+"/s";case"count":case"":return ye(e)}return ye(e)+" "+
t}function z(e,t){return e==null||!Number.isFinite(e)?"–":Vt(e,t).replaceAll(" "," ")}function me(e){return z(e,"coun\
t")}function X(e){return z(e,"share")}function se({tree:e},t,n){return e.fn[n]<0?"all":t.funcs[e.fn[n]][0]}function _t({tree:e},t,n){let r=e.fn[n]<0?-1:t.funcs[e.
fn[n]][1];return r<0?"":t.files[r]+(e.line[n]?":"+Math.abs(e.line[n]):"")}function te({tree:e},t){return z(t*e.type.scale,
e.type.unit)}function W({tree:e},t){let n=e.whole??e.total[0];return X(n?t/n:0)}function ve(e,t,n){let[r,o]=e.links?.[e.
funcs[t]?.[1]]??[-1,""];return r<0?"":e.folders[r]+o.replace("{}",String(Math.max(n,1)))}function Ce(e,t){let n=document.
createElement("a");return n.href=e,n.rel="noopener noreferrer",n.textContent=t,n}var Re={user:"your code",dependency:"a \
dependency",std:"the standard library",runtime:"the runtime",label:"the value of a label"};function nt(e,t,n){let r=e.tree.
fn[n],o=e.tree.line[n]<0?"inlined":"";return r<0?"":[Re[j[t.funcs[r][2]]],_t(e,t,n),o].filter(Boolean).join(" · ")}function Fe(e,t,n){
let r=e.tree,o=r.change?[se(e,t,n),nt(e,t,n),...He(r,n)]:[se(e,t,n),nt(e,t,n),te(e,r.total[n])+" total, "+W(e,r.total[n])+
" · "+te(e,r.self[n])+" self, "+W(e,r.self[n])],a=r.parent[n];a>0&&r.total[a]>0&&o.push(X(r.total[n]/r.total[a])+" of "+
Z(t,r.fn[a]));let l=(t.marks??[]).filter(s=>s.fn===r.fn[n]);return{lines:o,findings:[...new Set(l.map(s=>s.id+": "+t.findings[s.
finding]))]}}function De(e,t,n=0,r=0){if(e.hidden=!t,!t)return;let{lines:o,findings:a}=t;e.replaceChildren(...[...o,...a].
map((s,i)=>{let u=document.createElement("div");return u.textContent=s,i>=o.length&&(u.className="finding-line"),u}));let l=e.
getBoundingClientRect();e.style.left=Math.max(8,Math.min(n+14,innerWidth-l.width-8))+"px",e.style.top=(r+18+l.height>innerHeight?
Math.max(8,r-l.height-12):r+18)+"px"}function rt(e,t){let n=e.tree,r=[],{match:o}=e;if(o){let a=Ye(n,l=>o.has(l));r.push(
a.frames?["Found ",W(e,a.sum)," ("+te(e,a.sum)+") in "+me(a.frames)+" frames"]:["Found ","nothing",""])}if(e.selected>=0){
let a=Fe(e,t,e.selected);r.push(["",a.lines[0]," "+[...a.lines.slice(1,n.change?4:3),...a.findings].filter(Boolean).join(
" · "),ve(t,n.fn[e.selected],Math.abs(n.line[e.selected]))])}else if(!e.match){let a=e.zoom?" in "+se(e,t,e.zoom):"";n.
change?r.push(["",se(e,t,e.zoom),": "+He(n,e.zoom).join(" · ")]):r.push(["",te(e,n.total[e.zoom]),(n.whole?" ("+W(e,n.total[e.
zoom])+")":"")+" of "+n.type.name+a+", "+me(n.n-1)+" frames"])}return r.map(([a,l,s,i])=>{let u=document.createElement("\
span"),d=document.createElement("b");return d.textContent=l,u.append(a,d,s),i&&u.append(" · ",Ce(i,"source")),u})}function ot(e,t){
let n=document.createElement("button");return n.type="button",n.setAttribute("role","tab"),n.textContent=e,n.addEventListener(
"click",t),n}function Y(e,t){let n=document.createElement("span"),r=document.createElement("span");return r.className="k\
ey "+e,n.append(r,t),n}function st(e,t){let n=e.tree;if(n.change)return lt();let r={user:"your code",dependency:"depende\
ncies",std:"standard library",runtime:"runtime"},o=new Float64Array(j.length);for(let l=1;l<n.n;l++){let s=l;for(;J(t,n.
fn[s])&&n.parent[s]>0;)s=n.parent[s];J(t,n.fn[s])||(o[t.funcs[n.fn[s]][2]]+=n.self[l])}let a=j.flatMap((l,s)=>o[s]>0?[Y(
l,r[l]+" "+W(e,o[s]))]:[]);return n.fn.some(l=>J(t,l))&&a.push(Y("label","value of a label")),n.line.some(l=>l<0)&&a.push(
Y("inlined",Te+"inlined by the compiler")),n.fn.some(l=>e.marks.has(l))&&a.push(Y("mark","frame of a finding")),a}function at(e,t,n){
let r=new Set(e.tree.fn),o=new Map;for(let a of t.marks??[]){if(!r.has(a.fn))continue;let l=o.get(a.finding)??{id:a.id,fns:new Set};
l.fns.add(a.fn),o.set(a.finding,l)}return[...o].sort(([a],[l])=>a-l).map(([a,{id:l,fns:s}])=>{let i=document.createElement(
"div"),u=document.createElement("a");return i.setAttribute("role","group"),i.setAttribute("aria-label",l+": "+t.findings[a]),
u.href=(t.page??"")+"#finding-"+a,u.title=t.findings[a],u.textContent=l,i.append(u,...[...s].map(d=>{let c=document.createElement(
"button");return c.type="button",c.title=t.funcs[d][0],c.textContent=Me(t.funcs[d][0]),c.addEventListener("click",()=>n(
d)),c})),i})}var $t=[0,.01,.05];function Je(e){let t=n=>{let r=Float64Array.from(e.graph.self[n]);for(let[o,a]of e.graph.cut[n])r[o]+=
a;for(let o=e.n-1;o>0;o--)r[e.parent[o]]+=r[o];return r};e.sides=[t(0),t(1)],e.wholes=e.graph.wholes??[e.sides[0][0],e.sides[1][0]],
Ie(e)}function Ie(e){e.change=new Float64Array(e.n);let[t,n]=[e.sides,e.wholes],{diff:r,types:o}=e.graph,a=n[1]*o[1].scale;
for(let l=0;l<e.n;l++){let s=t[0][l]*o[0].scale-t[1][l]*o[1].scale,i=0;for(let u of[0,1])i+=r.sample[u]*t[u][l]*(1-t[u][l]/
n[u])*o[u].scale**2;Math.abs(s)>Math.max(2*Math.sqrt(Math.max(i,0)),r.noise*a)&&(e.change[l]=s/a)}}function $e(e){let t=0;
for(let n of $t)Math.abs(e)>n&&t++;return Math.sign(e)*t}function Xt(e){return(e>0?"+":"−")+X(Math.abs(e))}function Xe(e){
return e===0?"":(e>0?"▲":"▼")+X(Math.abs(e)).replace(" ","")+" "}function He(e,t){let{types:n}=e.graph,r=e.sides[1][t]*
n[1].scale,o=e.sides[0][t]*n[0].scale,a=n[0].unit,l=o-r,s=e.wholes[1]*n[1].scale;return[z(r,a)+" "+n[1].name+", "+z(o,a)+
" "+n[0].name,e.change[t]===0?"no change beyond sampling error and noise":(l>0?"+":"")+z(l,a)+", "+Xt(l/s)+" of total "+
n[1].name]}function lt(){let e=["below 1 %","1 to 5 %","above 5 %"];return[...e.map((t,n)=>Y("more"+(n+1),"▲ more, "+t)),
...e.map((t,n)=>Y("less"+(n+1),"▼ less, "+t)),Y("none","no change beyond sampling error and noise")]}function we(e,t){return e.sides?e.sides.some(n=>n[t]>0):e.total[t]>0}function Yt(e){let t=new Set;for(let n=1;n<e.n;n++)
e.parent[n]>0&&we(e,n)&&t.add(e.fn[e.parent[n]]);return t}function ct(e){let{types:t}=e.graph,n=s=>{let{self:i,total:u}=ae(
e.sides?{...e,self:e.graph.self[s],total:e.sides[s]}:e),d=e.sides?t[s].scale:e.type.scale;return{flat:i.map(c=>c*d),cum:u.
map(c=>c*d)}},r=Yt(e),o=n(0),a=e.sides?n(1):null,l=[];return o.cum.forEach((s,i)=>{let u={fn:i,path:[i],calls:r.has(i),flat:o.
flat[i],cum:s};a&&Object.assign(u,{flatChange:u.flat-a.flat[i],cumChange:s-a.cum[i]}),(s>0||a&&a.cum[i]>0)&&l.push(u)}),
l}function it(e,t){let n=[];for(let r=t+1;r<e.end[t];r=e.end[r])we(e,r)&&n.push(r);return n}function ut(e,t){let n=t.tree??
pe(e,t.fn),{types:r}=n.graph;return it(n,t.node??0).map(o=>{let a=i=>({flat:n.selves[i][o]*r[i].scale,cum:n.sides[i][o]*
r[i].scale}),l=n.sides?a(0):{flat:n.self[o]*n.type.scale,cum:n.total[o]*n.type.scale};if(n.sides){let i=a(1);Object.assign(
l,{flatChange:l.flat-i.flat,cumChange:l.cum-i.cum})}let s=n.fn[o];return{...l,fn:s,path:[...t.path,s],tree:n,node:o,calls:it(
n,o).length>0}})}function Pe(e,t){let n=t==="flat"?"cum":"flat",r=(o,a)=>Math.abs(o[`${a}Change`]??o[a]);return e.sort((o,a)=>r(
a,t)-r(o,t)||r(a,n)-r(o,n)||o.fn-a.fn)}function Qt(e,t){return e===0?"0":(e>0?"+":"")+z(e,t)}function ft(e){let{unit:t}=e.
sides?e.graph.types[0]:e.type,n=(e.whole??e.total[0])*e.type.scale;return["flat","cum"].flatMap(r=>[[r,r==="flat"?"Flat":
"Cum",o=>z(o[r],t)],e.sides?["","change",o=>Qt(o[`${r}Change`],t)]:["","share",o=>X(n?o[r]/n:0)]])}function Ee(e,t){let n=[];for(let r=1;r<e.n;){if(e.fn[r]!==t){r++;continue}we(e,r)&&n.push(r),r=e.end[r]}return n}function mt(e,t){
let n=e.sides??[],r={parent:[-1],fn:[t],self:[0],total:[0],line:[0],most:[0],sides:n.map(()=>[0]),selves:n.map(()=>[0])},
o=new Map,a=e.funcs;function l(i,u){let d=i*a+u,c=o.get(d);if(c===void 0){c=r.fn.length,o.set(d,c),r.parent.push(i),r.fn.
push(u),r.self.push(0),r.total.push(0),r.line.push(0),r.most.push(0);for(let m of[...r.sides,...r.selves])m.push(0)}return c}
function s(i,u,d=u){r.total[i]+=e.total[u],e.total[d]>r.most[i]&&(r.most[i]=e.total[d],r.line[i]=e.line[d]),r.sides.forEach(
(c,m)=>{c[i]+=n[m][u]})}return{nodes:r,step:l,add:s}}function pe(e,t){let{nodes:n,step:r,add:o}=mt(e,t),a=[0];for(let l of Ee(
e,t))for(let s=l;s<e.end[l];s++){let i=e.depth[s]-e.depth[l];i>0&&(a[i]=r(a[i-1],e.fn[s])),o(a[i],s),n.self[a[i]]+=e.self[s],
n.selves.forEach((u,d)=>{u[a[i]]+=e.graph.self[d][s]})}return dt(e,n)}function pt(e,t){let{nodes:n,step:r,add:o}=mt(e,t);
for(let a of Ee(e,t)){let l=0;o(0,a);for(let s=e.parent[a];s>0;s=e.parent[s])l=r(l,e.fn[s]),o(l,a,s)}return dt(e,n)}function dt(e,t){
let n=t.fn.length,r=Array.from({length:n},()=>[]);for(let s=1;s<n;s++)r[t.parent[s]].push(s);let o={n,graph:e.graph,type:e.
type,whole:e.whole??e.total[0],funcs:e.funcs,fn:new Int32Array(n),line:new Int32Array(n),depth:new Int32Array(n),parent:new Int32Array(
n),end:new Int32Array(n),self:new Float64Array(n),total:new Float64Array(n),x:new Float64Array(n)};e.sides&&(o.sides=e.sides.
map(()=>new Float64Array(n)),o.selves=e.sides.map(()=>new Float64Array(n)),o.wholes=e.wholes);let a=[[0,-1,0,0]],l=0;for(;a.
length;){let[s,i,u,d]=a.pop(),c=l++;o.fn[c]=t.fn[s],o.parent[c]=i,o.depth[c]=u,o.x[c]=d,o.self[c]=t.self[s],o.total[c]=t.
total[s],o.line[c]=t.line[s],o.sides?.forEach((E,M)=>{E[c]=t.sides[M][s]}),o.selves?.forEach((E,M)=>{E[c]=t.selves[M][s]});
let m=r[s].sort((E,M)=>t.total[M]-t.total[E]||t.fn[E]-t.fn[M]),y=d;for(let E of m)y+=t.total[E];for(let E of m.reverse())
y-=t.total[E],a.push([E,c,u+1,y])}return Ae(o),o.sides&&Ie(o),o}function ae(e){let t=new Float64Array(e.funcs),n=new Float64Array(
e.funcs),r=new Int32Array(e.funcs),o=[];for(let a=1;a<e.n;a++){for(;o.length>=e.depth[a];)r[o.pop()]--;let l=e.fn[a];t[l]+=
e.self[a],r[l]===0&&(n[l]+=e.total[a]),r[l]++,o.push(l)}return{self:t,total:n}}function Be(e,t=e.keys()){let n=-1;for(let r of t)
e[r]>(n<0?0:e[n])&&(n=r);return n}function ht(e,t){let n=t.toLowerCase().split("|").map(l=>l.trim()).filter(Boolean);if(!n.length)return null;let r=l=>n.some(
s=>l.includes(s)),o=(e.files??[]).map(l=>r(l.toLowerCase())),a=new Set;return e.funcs.forEach(([l,s],i)=>{(r(l.toLowerCase())||
o[s])&&a.add(i)}),a}function Jt(e,t){let n=new Uint8Array(e.n);for(let r=1;r<e.n;r++)n[r]=n[e.parent[r]]||t.has(e.fn[r])?
1:0;return n}function gt(e,{focus:t,ignore:n,from:r}){let[o,a,l]=[t,n,r].map(d=>d&&Jt(e,d)),s=d=>(!o||o[d])&&!(a&&a[d])&&
(!l||l[d]),i=(d,c)=>d.reduce((m,y)=>m+y,0)+e.graph.cut[c].reduce((m,[,y])=>m+y,0),u={...e.graph,wholes:e.graph.self.map(
i),lines:{fn:[],line:[],self:[],total:[]},self:e.graph.self.map(d=>d.map((c,m)=>s(m)?c:0)),cut:e.graph.cut.map(d=>d.filter(
([c])=>s(c)))};return ge(l?Zt(e,u,l):u,e.funcs)}function Zt(e,t,n){let r=[{depth:0,children:new Map}],o=new Int32Array(e.
n);for(let s=1;s<e.n;s++){if(!n[s])continue;let i=r[o[e.parent[s]]];i.children.has(e.fn[s])||(i.children.set(e.fn[s],r.length),
r.push({fn:e.fn[s],line:e.line[s],depth:i.depth+1,children:new Map})),o[s]=i.children.get(e.fn[s])}let a=s=>{let i=new Array(
r.length).fill(0);return s.forEach((u,d)=>{i[o[d]]+=u}),i},l=t.cut.map(s=>s.map(([i,u])=>[o[i],u]));return en({...t,self:t.
self.map(a),cut:l},r)}function en(e,t){let n=[...e.self[e.default]];for(let[s,i]of e.cut[e.default])n[s]+=i;for(let s=t.
length-1;s>=0;s--)for(let i of t[s].children.values())n[s]+=n[i];let r=[],o=[0];for(;o.length;){let s=o.pop();r.push(s);
for(let i of[...t[s].children.values()].sort((u,d)=>n[u]-n[d]))o.push(i)}let a=new Int32Array(t.length);r.forEach((s,i)=>{
a[s]=i});let l=r.slice(1);return{...e,fn:l.map(s=>t[s].fn),line:l.map(s=>t[s].line),up:l.map((s,i)=>t[r[i]].depth+1-t[s].
depth),self:e.self.map(s=>r.map(i=>s[i])),cut:e.cut.map(s=>s.map(([i,u])=>[a[i],u]))}}function Oe(e,t){if(e.hashes)return e.
hashes;let n=Ne(t);e.hashes=new Uint32Array(e.n);for(let r=1;r<e.n;r++)e.hashes[r]=qe(e.hashes[e.parent[r]],n[e.fn[r]],e.
depth[r]);return e.hashes}function Ne(e){return e.hashes??=e.funcs.map(([t])=>{let n=2166136261;for(let r=0;r<t.length;r++)
n=Math.imul(n^t.charCodeAt(r),16777619);return n}),e.hashes}function qe(e,t,n){return Math.imul(e^e>>>15^t,739982445)+n}
function Ke(e,t,n){return n?Math.max(Oe(e,t).indexOf(n),0):0}function tn(e,t,n){let r=e.graph.lines,o=[];if(r.fn?.forEach((s,i)=>{s===n&&o.push({line:r.line[i],self:r.self[t][i],total:r.
total[t][i]})}),o.length)return{rows:o,exact:!0};let a=new Map,l=s=>(a.has(s)||a.set(s,{line:s,self:0,total:0}),a.get(s));
for(let s of Ee(e,n))l(e.line[s]).total+=e.total[s];for(let s=1;s<e.n;s++)e.fn[s]===n&&(l(e.line[s]).self+=e.self[s]);return{
rows:[...a.values()].sort((s,i)=>s.line-i.line),exact:!1}}function B(e,t,n){let r=document.createElement(e);return r.append(
t),n&&(r.className=n),r}function nn(e){let t="http://www.w3.org/2000/svg",n=document.createElementNS(t,"svg");n.setAttribute(
"class","share"),n.setAttribute("viewBox","0 0 100 6"),n.setAttribute("preserveAspectRatio","none"),n.setAttribute("aria\
-hidden","true");for(let[r,o]of[["track",100],["fill",Math.min(100*e,100)]]){let a=document.createElementNS(t,"rect");a.
setAttribute("class",r),a.setAttribute("width",String(o)),a.setAttribute("height","6"),n.append(a)}return n}function bt(e,t,n,r){
let o=e.tree,{rows:a,exact:l}=tn(o,n,r),s=document.createElement("table"),i=document.createElement("tr");for(let[m,y]of[
["Line","num"],["Self","num"],["Share","num"],["With callees","num"],["Share","num"],["",""]]){let E=B(m?"th":"td",m,y);
m&&(E.scope="col"),i.append(E)}let u=document.createElement("tbody"),d=o.whole??o.total[0];for(let m of a){let y=document.
createElement("tr"),E=ve(t,r,m.line),M=B("th",E?Ce(E,String(m.line)):m.line?String(m.line):"–","num");M.scope="row",y.
append(M,B("td",te(e,m.self),"num"),B("td",W(e,m.self),"num"),B("td",te(e,m.total),"num"),B("td",W(e,m.total),"num"),B("\
td",nn(d?m.total/d:0),"barcell")),u.append(y)}if(s.append(B("thead",i),u),l)return[s];let c=B("p","The page has every li\
ne only for the heaviest functions. In this function, each frame counts at its heaviest line.","note");return[s,c]}var G=(()=>{let e={width:0,height:0,top:0,match:null,marks:new Map},t=[],n=[],r=[],o,a,l,s,i,u,d,c=0,m=0,y="graph",E=!1,
M=!0,T=-1,x=[],R=0,q=null,D=()=>{};function k(f){return a.querySelector(f)}function U(f,p={}){return{tree:f,zoom:0,base:0,
dir:1,from:0,hover:-1,selected:-1,...p}}function _(){return[U(t[c],{dir:E?-1:1})]}function N(f=R){return{...e,...x[f]}}function I(){
performance.clearMeasures("flame");let f=performance.now();if(e.width=l.clientWidth,!e.width)return;let p=Ve(x,e.width)*
H,b=parseFloat(getComputedStyle(l).maxHeight)||p;e.height=Math.min(p,b),k(".spacer").style.height=p-e.height+"px",M&&(l.
scrollTop=E&&y==="graph"?p:0),M=!1,e.top=Math.min(l.scrollTop,p-e.height);let w=devicePixelRatio||1,[A,$]=[Math.round(e.
width*w),Math.round(e.height*w)];(s.width!==A||s.height!==$)&&(s.width=A,s.height=$,s.style.width=e.width+"px",s.style.height=
e.height+"px"),i.setTransform(w,0,0,w,0,0),i.clearRect(0,0,e.width,e.height),x.forEach((fn,Ot)=>_e(i,N(Ot),o)),performance.
measure("flame",{start:f,end:performance.now()})}function K(){d.replaceChildren(...rt(N(),o)),y==="lines"&&T>=0&&k(".lin\
es").replaceChildren(...bt(oe(),o,m,T))}function ne(f){x[0].zoom=f,M||=E,I(),K(),D(!0)}function O(f,p){for(let A of x)A.
selected=-1;R=f;let b=x[f];b.selected=p;let w=b.base+b.dir*b.tree.depth[p]*H;(w<l.scrollTop||w+H>l.scrollTop+e.height)&&
(l.scrollTop=w-e.height/2),I(),K(),D(!1)}function le(f){e.match=ht(o,f),y!=="graph"&&Q(),I(),K(),D(!1)}function re(){for(let f of x)
f.selected=-1;x[0].zoom=0,R=0,k("input").value="",M=!0,D(!0),le("")}function ie(f){m=f;let p=t[c];if(ke(p,f),y==="graph"){
let b=x[0];for(;b.zoom>0&&p.total[b.zoom]===0;)b.zoom=p.parent[b.zoom]}else C(T);k(".types select").value=String(f),k(".\
legend").replaceChildren(...st({...e,tree:p},o)),I(),K(),D(!0)}function h(f){c=f;let p=o.graphs[f];n[f]??=ge(p,o.funcs.length),
t[f]??=q?gt(n[f],q):n[f],r.length=0,x=_(),R=0,M=!0,a.querySelectorAll(".tabs button").forEach((w,A)=>{w.setAttribute("ar\
ia-selected",String(A===f)),w.tabIndex=A===f?0:-1}),k(".types select").replaceChildren(...p.types.map((w,A)=>new Option(
w.name,String(A),!1,A===p.default))),k(".types").hidden=p.types.length<2,k(".marks").replaceChildren(...at(N(),o,he)),ke(
t[f],p.default),y!=="graph"&&(T=g()),ie(p.default)}function g(){let{self:f,total:p}=ae(t[c]);return T>=0&&p[T]>0?T:Math.
max(Be(f),0)}function S(f){let p=x[R];p.selected>=0&&p.tree.fn[p.selected]>=0&&(T=p.tree.fn[p.selected]),y=f,r.length=0;
for(let b of a.querySelectorAll(".modes button"))b.setAttribute("aria-pressed",String(b.dataset.mode===y));a.dataset.mode=
y,k(".function").hidden=y==="graph",k(".lines").hidden=y!=="lines",l.hidden=y==="lines",k(".legend").hidden=y==="lines",
k("[data-up]").disabled=y!=="graph",M=!0,y==="graph"?(x=_(),R=0):C(g()),I(),K(),D(!0)}function L(){if(y!=="graph")return;
v(!E);let f=x[0];M=!0,I(),D(!0),f.selected>=0&&O(0,f.selected),K()}function v(f){E=f,k("[data-up]").setAttribute("aria-p\
ressed",String(E)),y==="graph"&&(x[0].dir=E?-1:1)}function C(f){T=f;let p=t[c];R=0,x=y==="sandwich"?[U(pe(p,f),{selected:0}),
U(pt(p,f),{dir:-1,from:1})]:[U(pe(p,f),{selected:0})],Q(),y==="sandwich"&&(e.width=l.clientWidth,I(),l.scrollTop=Math.max(
0,x[0].base-e.height/2))}function F(f){f<0||f===T||(r.push(T),C(f),I(),K(),D(!0))}function Q(){let{self:f,total:p}=ae(t[c]),
b=[...p.keys()].filter(A=>p[A]>0&&(!e.match||e.match.has(A))).sort((A,$)=>p[$]-p[A]||f[$]-f[A]).slice(0,300);b.includes(
T)||b.unshift(T);let w=A=>W(oe(),p[A])+"  "+Z(o,A);k(".function select").replaceChildren(...b.map(A=>new Option(w(A),String(
A),!1,A===T)))}function oe(){return{...e,tree:t[c]}}function he(...f){if(y!=="graph"){F(f.at(-1));return}let p=t[c],b=Qe(
p,f);if(b<0)return;let w=b;for(;w>0&&p.total[b]/p.total[w]>.12;)w=p.parent[w];x[0].zoom=w,M||=E,I(),D(!0),O(0,b)}function Mt(){
let{tree:f,zoom:p,selected:b}=x[0],w=b<0?p:b,A=()=>O(0,b<0?p:be(f,w)),$=()=>{f.parent[w]<0||(w===p&&ne(f.parent[w]),O(0,
f.parent[w]))};return{ArrowDown:E?$:A,ArrowUp:E?A:$,u:L,ArrowLeft:()=>{w!==p&&O(0,ue(f,w,-1))},ArrowRight:()=>{w!==p&&O(
0,ue(f,w,1))},Enter:()=>ne(w),Escape:()=>{p>0?ne(f.parent[p]):re()},Home:re}}function Lt(){let{tree:f,selected:p}=x[R],b=Math.
max(p,0),w=()=>O(R,be(f,b)),A=()=>O(f.parent[b]>0?R:0,Math.max(f.parent[b],0));return{ArrowDown:R===0?w:A,ArrowUp:()=>{R===
1?w():b>0?A():x[1].tree.n>1&&O(1,be(x[1].tree,0))},ArrowLeft:()=>O(R,ue(f,b,-1)),ArrowRight:()=>O(R,ue(f,b,1)),Enter:()=>F(
f.fn[b]),Escape:()=>At(),Home:()=>O(0,0)}}function At(){r.length?(C(r.pop()),I(),K(),D(!0)):S("graph")}function je(f){let p=y===
"graph"?Mt():Lt();!p[f.key]||f.ctrlKey||f.metaKey||f.altKey||(f.preventDefault(),p[f.key]())}function kt(){s.addEventListener(
"pointermove",f=>{let[p,b]=Le(x,e,f.offsetX,f.offsetY);x.some((w,A)=>w.hover!==(A===p?b:-1))&&(x.forEach((w,A)=>{w.hover=
A===p?b:-1}),I()),f.pointerType==="mouse"&&De(u,b<0?null:Fe(N(p),o,b),f.clientX,f.clientY)}),s.addEventListener("pointer\
leave",()=>{for(let f of x)f.hover=-1;De(u,null),I()}),s.addEventListener("click",f=>{let[p,b]=Le(x,e,f.offsetX,f.offsetY);
if(!(b<0)){if(y==="sandwich"){F(x[p].tree.fn[b]);return}x[0].selected=b,ne(b)}})}function vt(){let f=k(".tabs");f.replaceChildren(
...o.graphs.map((p,b)=>ot(p.title,()=>h(b)))),f.addEventListener("keydown",p=>{let b={ArrowRight:1,ArrowLeft:-1}[p.key];
b&&(h((c+b+o.graphs.length)%o.graphs.length),f.children[c].focus())})}function Ct(f,p){if(a=document.getElementById("fla\
me"),!(!a||!f.graphs?.length)){o=f,l=k(".stage"),s=l.querySelector("canvas"),i=s.getContext("2d"),u=k(".tip"),d=k(".stat\
us");for(let b of o.marks??[]){let w=e.marks.get(b.fn)??[];e.marks.set(b.fn,w.includes(b.id)?w:[...w,b.id])}vt(),kt(),l.
addEventListener("keydown",je),l.addEventListener("scroll",I);for(let b of a.querySelectorAll(".modes button"))b.addEventListener(
"click",()=>S(b.dataset.mode));k(".types select").addEventListener("change",b=>ie(Number(b.target.value))),k(".function \
select").addEventListener("change",b=>F(Number(b.target.value))),k("input").addEventListener("input",b=>le(b.target.value)),
k("input").addEventListener("keydown",Rt),k(".reset").addEventListener("click",re),k("[data-up]").addEventListener("clic\
k",L),h(o.marks?.[0]?.graph??0),p&&(D=p),new ResizeObserver(I).observe(a),P.onChange(I)}}function Rt(f){if(f.key!=="Ente\
r"||!e.match?.size)return;let{total:p}=ae(t[c]),b=Be(p,e.match);b>=0&&he(b)}function Ft(f){let p=o.marks[f];y!=="graph"&&
S("graph"),c!==p.graph&&h(p.graph),he(p.fn),a.scrollIntoView({block:"start"}),l.focus({preventScroll:!0})}function Dt(f){
c!==f&&h(f),l.focus({preventScroll:!0})}function Ht(){let{zoom:f,selected:p}=x[0],b=w=>y==="graph"&&w>0?Oe(t[c],o)[w]:0;
return{graph:c,type:o.graphs[c].types[m].name,view:y,zoom:b(f),at:b(p),up:E?"1":"",fn:y==="graph"?"":o.funcs[T]?.[0]??"",
find:k("input").value}}function It(f){let p=D;D=()=>{},q=f.filter,t.length=0,v(f.up==="1"),h(Math.min(f.graph,o.graphs.length-
1)),y!=="graph"&&S("graph");let b=o.graphs[c].types.findIndex(w=>w.name===f.type);if(b>=0&&b!==m&&ie(b),k("input").value=
f.find,le(f.find),f.view==="sandwich"||f.view==="lines")T=o.funcs.findIndex(([w])=>w===f.fn),S(f.view);else{x[0].zoom=Ke(
t[c],o,f.zoom),I();let w=Ke(t[c],o,f.at);w>0?O(0,w):K()}D=p}function Pt(){return{tree:t[c],column:m,match:e.match}}function Bt(){
let f=x[R];return f.selected>0||y!=="graph"&&f.selected===0?se(N(),o,f.selected):""}return{start:Ct,showMark:Ft,showGraph:Dt,
reset:re,turn:L,state:Ht,restore:It,shownFunctions:Pt,selectedName:Bt,jump:he,keys:je}})();var yt=[["graph","graph"],["type","type"],["view","view"],["fn","fn"],["up","up"],["zoom","zoom"],["at","at"],["q","find"]];
function wt(){let e=G.state();return{write:t=>{let n=G.state();for(let[r,o]of yt)n[o]!==e[o]&&t.set(r,String(n[o]))},read:t=>{
let n=(r,o)=>Number(t.get(r)??o)||0;G.restore({graph:Math.max(0,Math.trunc(n("graph",e.graph))),type:t.get("type")??e.type,
view:t.get("view")??e.view,fn:t.get("fn")??"",up:t.get("up")??"",zoom:n("zoom",0),at:n("at",0),find:t.get("q")??"",filter:null})}}}
var Et=e=>yt.some(([t])=>e.has(t));var de=(()=>{let e=[],t="",n=!1,r=!1,o=()=>{};function a(){let u=new URLSearchParams;for(let d of e)d.write(u);return u.
size?"#~"+u.toString().replaceAll("%2C",","):""}function l(u){r||=u,!n&&(n=!0,queueMicrotask(()=>{let d=a();if(d!==t){let c=new URL(
location.href);c.hash=d,r?history.pushState({view:d},"",c):history.replaceState({view:d},"",c),t=d}n=r=!1}))}function s(){
let u=location.hash&&!location.hash.startsWith("#~")?location.hash.slice(1):"",d=history.state?.view;if(u&&typeof d!="st\
ring"){o(u),t=a(),history.replaceState({view:t},"");return}let c=u?String(d):location.hash;if(c===t)return;let m=new URLSearchParams(
c.slice(2));for(let y of e)y.read(m);t=a()}function i(u,d){return e=u,d&&(o=d),addEventListener("popstate",s),addEventListener(
"hashchange",s),s(),new URLSearchParams(t.slice(2))}return{start:i,changed:l}})();var rn=50,Se=(()=>{let e=new Map,t=new Map,n=!1;function r(s){if(s.id)return s.id;let i=s.closest("[id]")??document.body,
u=[...i.querySelectorAll("details:not([id])")].filter(d=>(d.closest("[id]")??document.body)===i);return i.id+"."+u.indexOf(
s)}function o(s=de.changed){for(let u of document.querySelectorAll("details"))e.set(u,u.open),t.set(r(u),u);document.addEventListener(
"toggle",()=>{n||s(!0)},!0);let i=[];addEventListener("beforeprint",()=>{n=!0,i=[...document.querySelectorAll("details.f\
inding:not([open])")];for(let u of i)u.open=!0}),addEventListener("afterprint",()=>{for(let u of i)u.open=!1;n=!1})}let a={
write:s=>{let i=[...t].filter(([,u])=>u.open!==e.get(u));for(let[u,d]of[["unfold",!0],["fold",!1]]){let c=i.filter(([,m])=>m.
open===d).map(([m])=>m).slice(0,rn);c.length&&s.set(u,c.join(","))}},read:s=>{let i=c=>new Set((s.get(c)??"").split(",")),
u=i("unfold"),d=i("fold");for(let[c,m]of t)m.open=u.has(c)||e.get(m)&&!d.has(c)}};function l(s){let i=document.getElementById(
s),u=i?.closest("details");!u||u.open||(u.open=!0,i.scrollIntoView())}return{start:o,part:a,follow:l}})();var on=50;function sn(e,t,n,{shown:r,show:o,changed:a}){let l=new Set,s=new WeakMap,i="flat",u=30,d=[],c,m;function y(){
let h=r(),g=[h.tree,h.column,h.match,i,u];if(g.every((C,F)=>C===d[F]))return;d=g,c=h.tree,m=ft(c);let S=s.get(_(document.
activeElement))?.key,L=Pe(ct(c).filter(C=>!h.match||h.match.has(C.fn)),i);e.replaceChildren(...L.length?E(L):[B("p","No \
function matches.","empty")]);let v=U();v.length&&(v[0].tabIndex=0),S!==void 0&&N(v.find(C=>s.get(C).key===S)??v[0])}function E(h){
let g=V("table","treegrid","cards functions");g.setAttribute("aria-label","Functions"),g.setAttribute("aria-describedby",
"functions-how");let S=V("thead","rowgroup");S.append(M());let L=V("tbody","rowgroup");if(L.append(...h.slice(0,u).flatMap(
(C,F)=>T(C,F,h.length))),g.append(S,L),h.length<=u)return[g];let v=B("button","Show more: "+me(h.length-u)+" functions a\
re left","quiet more");return v.type="button",v.addEventListener("click",()=>{let C=u;u+=200,a(!1),N(U().filter(F=>F.ariaLevel===
"1")[C])}),[g,v]}function M(){let h=V("tr","row"),g=V("th","columnheader");return g.scope="col",g.append("Function"),h.append(
g,...m.map(([S,L])=>{let v=V("th","columnheader","num");if(v.scope="col",!S)return v.append(L),v;let C=B("button",L+(S===
i?" ▾":""),"link");return C.type="button",C.dataset.sort=S,C.addEventListener("click",()=>{i=S,a(!0),e.querySelector("\
[data-sort="+S+"]")?.focus()}),S===i&&v.setAttribute("aria-sort","descending"),v.append(C),v})),h}function T(h,g,S){h.key=
an(n,h.path);let L=V("tr","row");return s.set(L,h),L.tabIndex=-1,L.setAttribute("aria-level",String(h.path.length)),L.setAttribute(
"aria-posinset",String(g+1)),L.setAttribute("aria-setsize",String(S)),h.calls&&L.setAttribute("aria-expanded",String(l.has(
h.key))),L.append(R(L,h),...m.map(([v,C,F],Q)=>{let oe=V("td","gridcell","num");return oe.append(F(h)),oe.dataset.label=
v?C.toLowerCase():m[Q-1][1].toLowerCase()+" "+C,oe})),h.calls&&l.has(h.key)?[L,...x(h)]:[L]}function x(h){let g=Pe(ut(c,
h),i);return g.flatMap((S,L)=>T(S,L,g.length))}function R(h,g){let S=V("th","rowheader");S.scope="row";let L=B("span",g.
calls?l.has(g.key)?"▾":"▸":"","twist");L.setAttribute("aria-hidden","true"),L.addEventListener("click",()=>{g.calls&&
I(h)});let v=B("button",n.funcs[g.fn][0],"link symbol");v.type="button",v.tabIndex=-1,v.addEventListener("click",()=>o(g.
path));let C=B("div",v);C.append(B("span",[...q(g.fn),...D(g.fn)].join(" · "),"sub"));let F=B("div",L,"tree");return F.
style.setProperty("--above",String(g.path.length-1)),F.append(C),S.append(F),S}function q(h){let[,g,S]=n.funcs[h];return S===
xe?[j[S],n.files[g]]:[j[S],...g<0?[]:[n.files[g].split("/").slice(-2).join("/")]]}function D(h){return[...new Set((n.marks??
[]).filter(g=>g.fn===h).map(g=>g.id))]}function k(h,g){let S=m.map(([,,F])=>F(g)),L=g.path.slice(0,-1).map(F=>Z(n,F)).reverse(),
v=D(g.fn),C=g.calls?h.ariaExpanded==="true"?"What it calls is open":"Right shows what it calls":"It calls nothing that w\
as counted";return[n.funcs[g.fn][0]+(L.length?", called by "+L.join(", by "):""),[["itself",0],["with what it calls",2]].
map(([F,Q])=>S[Q]+" "+F+", "+S[Q+1]+(c.sides?" against the base":" of all")).join("; "),(J(n,g.fn)?"It is ":"In ")+[Re[j[n.
funcs[g.fn][2]]],...q(g.fn).slice(1)].join(", "),...v.length?["A place of "+v.join(", ")]:[],C].join(". ")+"."}function U(){
return[...e.querySelectorAll("tbody tr")]}function _(h){return h&&e.contains(h)?h.closest("tbody tr"):null}function N(h){
h?.focus()}function I(h){let g=s.get(h),S=!l.delete(g.key);if(S)l.add(g.key),h.after(...x(g));else for(;Number(h.nextElementSibling?.
ariaLevel)>g.path.length;)h.nextElementSibling.remove();h.setAttribute("aria-expanded",String(S)),h.querySelector(".twis\
t").textContent=S?"▾":"▸",_(document.activeElement)===h?t.textContent=k(h,g):e.querySelector('tbody tr[tabindex="0"]')||
(h.tabIndex=0),a(!1)}function K(h){let g=h.previousElementSibling;for(;g&&Number(g.ariaLevel)>=Number(h.ariaLevel);)g=g.
previousElementSibling;return g}function ne(h){let g=_(h.target);if(!g||h.ctrlKey||h.metaKey||h.altKey)return;let S=g.ariaExpanded,
L={ArrowDown:()=>N(g.nextElementSibling),ArrowUp:()=>N(g.previousElementSibling),ArrowRight:()=>{S==="true"?N(g.nextElementSibling):
S&&I(g)},ArrowLeft:()=>{S==="true"?I(g):N(K(g))},Home:()=>N(U()[0]),End:()=>N(U().at(-1)),Enter:()=>o(s.get(g).path)}[h.
key];L&&(h.preventDefault(),h.stopPropagation(),L())}function O(h){let g=_(h.target);if(!g)return;for(let L of e.querySelectorAll(
'tbody tr[tabindex="0"]'))L.tabIndex=-1;g.tabIndex=0;let S=k(g,s.get(g));t.textContent!==S&&(t.textContent=S)}e.addEventListener(
"keydown",ne),e.addEventListener("focusin",O);function le(){return{sort:i,open:[...l].slice(-on).map(h=>h.toString(16)).
join(".")}}function re({sort:h,open:g}){i=h==="cum"?"cum":"flat",l.clear();for(let S of g.split("."))S&&l.add(Number.parseInt(
S,16));d=[]}function ie(){let h=s.get(_(document.activeElement));return h?n.funcs[h.fn][0]:""}return{refresh:y,state:le,
restore:re,focusedName:ie}}function V(e,t,n){let r=document.createElement(e);return r.setAttribute("role",t),n&&(r.className=
n),r}function an(e,t){let n=Ne(e);return t.reduce((r,o,a)=>qe(r,n[o],a+1),0)>>>0}function ln(e){let t=document.querySelector(
".stage");G.jump(...e),t.scrollIntoView({block:"center"}),t.focus({preventScroll:!0})}function St(e,t){let n=document.getElementById(
"functions");if(!n)return G.start(e,t),[];let r,o=()=>{n.open&&r.refresh()},a=l=>{o(),t(l)};return r=sn(document.getElementById(
"function-table"),document.getElementById("row-said"),e,{shown:G.shownFunctions,show:ln,changed:a}),G.start(e,a),n.addEventListener(
"toggle",o),[{write:l=>{let{sort:s,open:i}=r.state();s!=="flat"&&l.set("sort",s),i&&l.set("rows",i)},read:l=>{r.restore(
{sort:l.get("sort"),open:l.get("rows")??""}),o()}}]}var ze="casebook-keys-off",xt=(()=>{let e=()=>document.querySelector(".bar.site"),t=c=>document.getElementById(c),n=0,r=!1;
function o(c){r=c;try{r?localStorage.setItem(ze,"1"):localStorage.removeItem(ze)}catch{}}function a(){let c=["the page: "+
document.title],m=y=>[...y].map(([E,M])=>E+" "+M).join(", ");return location.search&&c.push("what was asked for: "+m(new URLSearchParams(
location.search))),location.hash.startsWith("#~")?c.push("what you chose on it: "+m(new URLSearchParams(location.hash.slice(
2)))):location.hash&&c.push("the part: "+location.hash.slice(1)),c}function l(){document.getElementById("share-address").
textContent=location.href,document.getElementById("share-holds").replaceChildren(...a().map(y=>{let E=document.createElement(
"li");return E.textContent=y.length>300?y.slice(0,300)+"…":y,E}));let c=/^\/cases\/([^/]+)/.exec(location.pathname)?.[1],
m=(y,E)=>{document.getElementById("share-"+y).hidden=!E};m("local",["localhost","127.0.0.1","[::1]"].includes(location.hostname)),
m("kept",!!c),m("now",!c),m("file",!!c),c&&document.querySelector("#share-file a").setAttribute("href","/api/v1/cases/"+
c+"/zip"),t("share").showModal()}function s(c){document.querySelector("dialog[open]")||(c==="share"?l():t(c).showModal())}
function i(c){let m=[...document.querySelectorAll("main [data-go-row], main tbody tr")].map(M=>M.matches("a")?M:M.querySelector(
"a")).filter(M=>!!M&&M.checkVisibility());if(!m.length)return!1;let y=document.activeElement,E=m.findIndex(M=>M===y||!!M.
closest("tr")?.contains(y));return m[E<0?c>0?0:m.length-1:Math.min(Math.max(E+c,0),m.length-1)].focus(),!0}function u(c){
let m=c.key,y=Date.now()-n<1500;if(n=0,y){let E=e().querySelector('[data-go="'+CSS.escape(m)+'"]');return E&&E.click(),!!E}
switch(m){case"g":return n=Date.now(),!0;case"s":return s("share"),!0;case"?":return s(document.querySelector("#keys")?"\
keys":"sitekeys"),!0;case"j":return i(1);case"k":return i(-1);case"/":{let E=document.querySelector("main input[type=sea\
rch], header input[type=search]");return E?.focus(),!!E}}return!1}function d(){if(!e())return;try{r=localStorage.getItem(
ze)==="1"}catch{}for(let m of document.querySelectorAll("[data-open]"))m.addEventListener("click",()=>s(m.dataset.open));
for(let m of document.querySelectorAll("[data-close]"))m.addEventListener("click",()=>m.closest("dialog").close());let c=document.
getElementById("single");c.checked=!r,c.addEventListener("change",()=>o(!c.checked)),document.addEventListener("keydown",
m=>{r||m.defaultPrevented||m.ctrlKey||m.metaKey||m.altKey||document.querySelector("dialog[open]")||m.target.matches("inp\
ut, select, textarea, [role=application]")&&m.key!=="?"||m.target.matches("input, textarea")||u(m)&&m.preventDefault()})}
return{start:d}})();document.documentElement.classList.add("js");P.start();xt.start();Se.start();var Tt=JSON.parse(document.getElementById("\
data").textContent),cn=St(Tt.flame,de.changed),un=de.start([...Tt.flame.graphs?.length?[wt()]:[],...cn,Se.part],Se.follow);
Et(un)&&document.getElementById("profiles")?.scrollIntoView();We();})();

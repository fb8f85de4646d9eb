// Made of app/report/web/profile.ts by `make web`.
"use strict";(()=>{function et(){for(let e of document.querySelectorAll("[data-copy]"))e.addEventListener("click",async()=>{let t=document.
getElementById(e.dataset.copy);try{await navigator.clipboard.writeText(t.textContent),e.textContent="Copied"}catch{getSelection().
selectAllChildren(t),e.textContent="Selected"}})}var P=(()=>{let e=document.documentElement,t=matchMedia("(prefers-color-scheme: dark)"),n=[],r=document.createElement("s\
pan");r.hidden=!0,document.body.append(r);let o="",a=!1,i=()=>!a&&(o?o==="dark":t.matches);function s(){e.style.colorScheme=
a?"light":o;let f=document.getElementById("theme");f.textContent=i()?"Light":"Dark";for(let b of n)b()}function l(){document.
getElementById("theme").addEventListener("click",()=>{o=i()?"light":"dark",s()}),t.addEventListener("change",s),addEventListener(
"beforeprint",()=>{a=!0,s()}),addEventListener("afterprint",()=>{a=!1,s()}),s()}function u(f){return r.style.color="var(\
--"+f+")",getComputedStyle(r).color}function d(f){return getComputedStyle(e).getPropertyValue("--"+f).trim()}return{start:l,
color:u,font:d,onChange:f=>n.push(f)}})();var W=["user","dependency","std","runtime","label"],Re=W.indexOf("label"),Fe="↳ ",H=19,nt=.5,pe=4;function Jt(){return{
owner:W.map(e=>P.color("f-"+e)),text:P.color("f-text"),rest:P.color("f-rest"),match:P.color("f-match"),mark:P.color("f-m\
ark"),markText:P.color("f-mark-text"),more:[1,2,3].map(e=>P.color("f-more"+e)),less:[1,2,3].map(e=>P.color("f-less"+e)),
none:P.color("f-none"),ground:P.color("raised"),focus:P.color("text"),muted:P.color("muted")}}function De(e){let t=e.search(
/[[(]/);return e.slice(e.lastIndexOf("/",t<0?e.length:t)+1)}function Z(e,t){return t>=0&&e.funcs[t][2]===Re}function ee(e,t){
return Z(e,t)?e.funcs[t][0]:De(e.funcs[t][0])}function Zt(e,t,n){let r=e.depth[t];for(let o=t;o<e.end[t];){if(e.total[o]*
n<nt){o=e.end[o];continue}e.depth[o]>r&&(r=e.depth[o]),o++}return r+1}function rt(e,t){let n=e.map(({tree:o,zoom:a})=>Zt(
o,a,o.total[a]>0?t/o.total[a]:0));if(e.length===1){let o=Math.max(n[0],3);return e[0].base=e[0].dir>0?0:(o-1)*H,o}let r=n[1]-
1;for(let o of e)o.base=r*H;return Math.max(r+n[0],3)}function He(e,t,n,r){let o=Math.floor((r+t.top-e[0].base)/H),a=o<0&&
e.length>1?1:0,{tree:i,zoom:s,dir:l}=e[a];if(o*l<0)return[a,-1];let u=Math.abs(o);if(u<i.depth[s]){let f=s;for(;f>=0&&i.
depth[f]>u;)f=i.parent[f];return[a,f]}let d=i.x[s]+n/t.width*i.total[s];for(let f=s;f<i.end[s];){if(d<i.x[f]||d>=i.x[f]+
i.total[f]){f=i.end[f];continue}if(i.depth[f]===u)return[a,f];f++}return[a,-1]}function ot(e,t,n){let{tree:r,zoom:o,width:a,
height:i,top:s,base:l,dir:u,from:d}=t,f=Jt(),b=r.total[o]>0?a/r.total[o]:0,w=new Float64Array(4096).fill(-1);e.font="11.\
5px "+P.font("mono"),e.textBaseline="middle";let L=e.measureText("m").width,v={ctx:e,c:f,glyph:L,view:t,data:n,t:r};for(let x=r.
parent[o];x>=0;x=r.parent[x])tt(v,x,0,l+u*r.depth[x]*H-s,a,!0);for(let x=o;x<r.end[o];){let T=l+u*r.depth[x]*H-s,R=r.total[x]*
b;if((u>0?T>i:T<-H)||R===0){x=r.end[x];continue}if(r.depth[x]<d){x++;continue}let K=(r.x[x]-r.x[o])*b;if(R<nt){let D=Math.
floor(K);T>-H&&T<i&&w[r.depth[x]]<D&&(e.fillStyle=f.rest,e.fillRect(D,T,1,H-1),w[r.depth[x]]=D),x=r.end[x];continue}T>-H&&
T<i&&tt(v,x,K,T,R,!1),x++}}function en(e,t,n,r){if(!t.change)return r<0?e.rest:e.owner[r];let o=st(t.change[n]);return o>
0?e.more[o-1]:o<0?e.less[-o-1]:e.none}function tt({ctx:e,c:t,glyph:n,view:r,data:o,t:a},i,s,l,u,d){let f=a.fn[i],b=f<0?-1:
o.funcs[f][2],w=r.match&&f>=0&&r.match.has(f),L=d||r.match&&!w;e.globalAlpha=L?.4:a.change?1:[1,.86,.93][f<0?0:f%3],e.fillStyle=
w?t.match:en(t,a,i,b);let v=u>3?1:0;e.fillRect(s,l,u-v,H-1),w&&(e.fillStyle=t.text,e.fillRect(s,l+H-3,u-v,2)),e.globalAlpha=
d?.75:1;let x=s+pe,T=f<0?void 0:r.marks.get(f);T&&(x=tn(e,t,T,s,l,u-v,n));let R=a.change?at(a.change[i]):"",K=a.line[i]<
0?Fe:"";nn(e,R+K+(f<0?"all":ee(o,f)),t.text,x,l,s+u-pe,n),e.globalAlpha=1,(i===r.selected||i===r.hover)&&(e.strokeStyle=
t.focus,e.lineWidth=i===r.selected?2:1,e.strokeRect(s+1,l+1,Math.max(u-v-2,1),H-3))}function tn(e,t,n,r,o,a,i){if(e.fillStyle=
t.mark,a<5)return e.fillRect(r,o,a,H-1),r+pe;e.strokeStyle=t.mark,e.lineWidth=2,e.strokeRect(r+1,o+1,a-2,H-3);let s=n.join(
" "),l=s.length*i+8;return l>a?r+pe:(e.fillRect(r,o,l,H-1),e.fillStyle=t.markText,e.fillText(s,r+4,o+H/2),r+l+pe)}function nn(e,t,n,r,o,a,i){
let s=Math.floor((a-Math.max(r,0))/i);s<2||(e.fillStyle=n,e.fillText(t.length<=s?t:t.slice(0,s-1)+"…",Math.max(r,0),o+
H/2))}function xe(e,t){let n=(e.fn??[]).length+1,r={n,graph:e,funcs:t,fn:new Int32Array(n),line:new Int32Array(n),depth:new Int32Array(
n),parent:new Int32Array(n),end:new Int32Array(n),self:new Float64Array(n),total:new Float64Array(n),x:new Float64Array(
n)};r.fn[0]=-1,r.parent[0]=-1;for(let o=1;o<n;o++){r.fn[o]=e.fn[o-1],r.line[o]=e.line[o-1];let a=o-1;for(let i=e.up[o-1];i>
0;i--)a=r.parent[a];r.parent[o]=a,r.depth[o]=r.depth[a]+1}return Ie(r),r}function Ie(e){for(let t=e.n-1;t>=0;t--)e.end[t]=
Math.max(e.end[t],t+1),t>0&&(e.end[e.parent[t]]=Math.max(e.end[e.parent[t]],e.end[t]))}function Pe(e,t){let{self:n,total:r,
x:o,parent:a,n:i}=e;n.set(e.graph.self[t]),r.set(e.graph.self[t]);for(let[l,u]of e.graph.cut[t])r[l]+=u;for(let l=i-1;l>
0;l--)r[a[l]]+=r[l];let s=new Float64Array(i);for(let l=1;l<i;l++){let u=a[l];o[l]=o[u]+s[u],s[u]+=r[l]}e.type=e.graph.types[t],
e.whole=e.graph.wholes?.[t],e.graph.diff&&!e.change&&ct(e)}function it(e,t){let n=0,r=0,o=0;for(let a=1;a<e.n;a++)t(e.fn[a])&&
(e.total[a]>0&&n++,a>=o&&(r+=e.total[a],o=e.end[a]));return{frames:n,sum:r}}function lt(e,t){let n=t.length-1,r=-1;for(let o=1;o<
e.n;o++){if(e.fn[o]!==t[n]||r>=0&&e.total[o]<=e.total[r])continue;let a=n;for(let i=e.parent[o];a>0&&i>0&&e.fn[i]===t[a-
1];i=e.parent[i])a--;a===0&&(r=o)}return r}function de(e,t,n){let r=e.parent[t];if(r<0)return t;let o=t,a=!1;for(let i=r+
1;i<e.end[r];i=e.end[i])if(e.total[i]!==0){if(n>0&&a)return i;if(i===t){if(n<0)return o;a=!0}o=i}return t}function Se(e,t){
let n=t;for(let r=t+1;r<e.end[t];r=e.end[r])e.total[r]>0&&(n===t||e.total[r]>e.total[n])&&(n=r);return n}var ut=[[1099511627776," TiB",1],[1073741824," GiB",1],[1048576," MiB",1],[1024," KiB",1],[1," B",0]],rn=[[86400," days",
2],[3600," h",2],[60," min",10],[1," s",1],[.001," ms",1],[1e-6," µs",1],[1e-9," ns",0]],on=[[1e12," T",1],[1e9," G",1],
[1e6," M",1],[1e3," k",0]];function mt(e){return Number(e.toPrecision(3))}function ft(e){return e.replace(/\.?0+(e|$)/,"\
$1")}function te(e){if(e<0)return"−"+te(-e);if(e===0)return"0";if(e<5e-7)return"<0.000001";if(e>=1e15)return ft(e.toExponential(
2));if(e>=99.95)return e.toFixed(0).replace(/\B(?=(\d{3})+$)/g,",");let t=2-Math.floor(Math.log10(mt(e))+1e-9),n=e.toFixed(
Math.min(t,6));return n.includes(".")?ft(n):n}function sn(e){return Math.abs(e)<1?Number(e.toPrecision(2)):Math.round(10*
e)/10}function he(e,t){if(e<0)return"−"+he(-e,t);for(let[n,r,o]of t)if(e>0?mt(e/n)>=o:n===1)return te(e/n)+r;return te(
e)}function Le(e){return e<0?"−"+Le(-e):Math.round(e)<1e4?te(e):he(e,on)}function an(e,t){switch(t){case"bytes":return he(
e,ut);case"bytes/s":return he(e,ut)+"/s";case"seconds":return he(e,rn);case"share":return te(sn(100*e))+" %";case"cores":
return te(e)==="1"?"1 core":te(e)+" cores";case"1/s":return Le(e)+"/s";case"count":case"":return Le(e)}return Le(e)+" "+
t}function U(e,t){return e==null||!Number.isFinite(e)?"–":an(e,t).replaceAll(" "," ")}function ge(e){return U(e,"coun\
t")}function X(e){return U(e,"share")}function ae({tree:e},t,n){return e.fn[n]<0?"all":t.funcs[e.fn[n]][0]}function ln({tree:e},t,n){let r=e.fn[n]<0?-1:t.funcs[e.
fn[n]][1];return r<0?"":t.files[r]+(e.line[n]?":"+Math.abs(e.line[n]):"")}function ne({tree:e},t){return U(t*e.type.scale,
e.type.unit)}function G({tree:e},t){let n=e.whole??e.total[0];return X(n?t/n:0)}function Be(e,t,n){let[r,o]=e.links?.[e.
funcs[t]?.[1]]??[-1,""];return r<0?"":e.folders[r]+o.replace("{}",String(Math.max(n,1)))}function Oe(e,t){let n=document.
createElement("a");return n.href=e,n.rel="noopener noreferrer",n.textContent=t,n}var Ne={user:"your code",dependency:"a \
dependency",std:"the standard library",runtime:"the runtime",label:"the value of a label"};function pt(e,t,n){let r=e.tree.
fn[n],o=e.tree.line[n]<0?"inlined":"";return r<0?"":[Ne[W[t.funcs[r][2]]],ln(e,t,n),o].filter(Boolean).join(" · ")}function qe(e,t,n){
let r=e.tree,o=r.change?[ae(e,t,n),pt(e,t,n),...Ke(r,n)]:[ae(e,t,n),pt(e,t,n),ne(e,r.total[n])+" total, "+G(e,r.total[n])+
" · "+ne(e,r.self[n])+" self, "+G(e,r.self[n])],a=r.parent[n];a>0&&r.total[a]>0&&o.push(X(r.total[n]/r.total[a])+" of "+
ee(t,r.fn[a]));let i=(t.marks??[]).filter(s=>s.fn===r.fn[n]);return{lines:o,findings:[...new Set(i.map(s=>s.id+": "+t.findings[s.
finding]))]}}function ze(e,t,n=0,r=0){if(e.hidden=!t,!t)return;let{lines:o,findings:a}=t;e.replaceChildren(...[...o,...a].
map((s,l)=>{let u=document.createElement("div");return u.textContent=s,l>=o.length&&(u.className="finding-line"),u}));let i=e.
getBoundingClientRect();e.style.left=Math.max(8,Math.min(n+14,innerWidth-i.width-8))+"px",e.style.top=(r+18+i.height>innerHeight?
Math.max(8,r-i.height-12):r+18)+"px"}function dt(e,t){let n=e.tree,r=[],{match:o}=e;if(o){let a=it(n,i=>o.has(i));r.push(
a.frames?["Found ",G(e,a.sum)," ("+ne(e,a.sum)+") in "+ge(a.frames)+" frames"]:["Found ","nothing",""])}if(e.selected>=0){
let a=qe(e,t,e.selected);r.push(["",a.lines[0]," "+[...a.lines.slice(1,n.change?4:3),...a.findings].filter(Boolean).join(
" · "),Be(t,n.fn[e.selected],Math.abs(n.line[e.selected]))])}else if(!e.match){let a=e.zoom?" in "+ae(e,t,e.zoom):"";n.
change?r.push(["",ae(e,t,e.zoom),": "+Ke(n,e.zoom).join(" · ")]):r.push(["",ne(e,n.total[e.zoom]),(n.whole?" ("+G(e,n.total[e.
zoom])+")":"")+" of "+n.type.name+a+", "+ge(n.n-1)+" frames"])}return r.map(([a,i,s,l])=>{let u=document.createElement("\
span"),d=document.createElement("b");return d.textContent=i,u.append(a,d,s),l&&u.append(" · ",Oe(l,"source")),u})}function ht(e,t){
let n=document.createElement("button");return n.type="button",n.setAttribute("role","tab"),n.textContent=e,n.addEventListener(
"click",t),n}function Y(e,t){let n=document.createElement("span"),r=document.createElement("span");return r.className="k\
ey "+e,n.append(r,t),n}function gt(e,t){let n=e.tree;if(n.change)return yt();let r={user:"your code",dependency:"depende\
ncies",std:"standard library",runtime:"runtime"},o=new Float64Array(W.length);for(let i=1;i<n.n;i++){let s=i;for(;Z(t,n.
fn[s])&&n.parent[s]>0;)s=n.parent[s];Z(t,n.fn[s])||(o[t.funcs[n.fn[s]][2]]+=n.self[i])}let a=W.flatMap((i,s)=>o[s]>0?[Y(
i,r[i]+" "+G(e,o[s]))]:[]);return n.fn.some(i=>Z(t,i))&&a.push(Y("label","value of a label")),n.line.some(i=>i<0)&&a.push(
Y("inlined",Fe+"inlined by the compiler")),n.fn.some(i=>e.marks.has(i))&&a.push(Y("mark","frame of a finding")),a}function bt(e,t,n){
let r=new Set(e.tree.fn),o=new Map;for(let a of t.marks??[]){if(!r.has(a.fn))continue;let i=o.get(a.finding)??{id:a.id,fns:new Set};
i.fns.add(a.fn),o.set(a.finding,i)}return[...o].sort(([a],[i])=>a-i).map(([a,{id:i,fns:s}])=>{let l=document.createElement(
"div"),u=document.createElement("a");return l.setAttribute("role","group"),l.setAttribute("aria-label",i+": "+t.findings[a]),
u.href=(t.page??"")+"#finding-"+a,u.title=t.findings[a],u.textContent=i,l.append(u,...[...s].map(d=>{let f=document.createElement(
"button");return f.type="button",f.title=t.funcs[d][0],f.textContent=De(t.funcs[d][0]),f.addEventListener("click",()=>n(
d)),f})),l})}var cn=[0,.01,.05];function ct(e){let t=n=>{let r=Float64Array.from(e.graph.self[n]);for(let[o,a]of e.graph.cut[n])r[o]+=
a;for(let o=e.n-1;o>0;o--)r[e.parent[o]]+=r[o];return r};e.sides=[t(0),t(1)],e.wholes=e.graph.wholes??[e.sides[0][0],e.sides[1][0]],
je(e)}function je(e){e.change=new Float64Array(e.n);let[t,n]=[e.sides,e.wholes],{diff:r,types:o}=e.graph,a=n[1]*o[1].scale;
for(let i=0;i<e.n;i++){let s=t[0][i]*o[0].scale-t[1][i]*o[1].scale,l=0;for(let u of[0,1])l+=r.sample[u]*t[u][i]*(1-t[u][i]/
n[u])*o[u].scale**2;Math.abs(s)>Math.max(2*Math.sqrt(Math.max(l,0)),r.noise*a)&&(e.change[i]=s/a)}}function st(e){let t=0;
for(let n of cn)Math.abs(e)>n&&t++;return Math.sign(e)*t}function un(e){return(e>0?"+":"−")+X(Math.abs(e))}function at(e){
return e===0?"":(e>0?"▲":"▼")+X(Math.abs(e)).replace(" ","")+" "}function Ke(e,t){let{types:n}=e.graph,r=e.sides[1][t]*
n[1].scale,o=e.sides[0][t]*n[0].scale,a=n[0].unit,i=o-r,s=e.wholes[1]*n[1].scale;return[U(r,a)+" "+n[1].name+", "+U(o,a)+
" "+n[0].name,e.change[t]===0?"no change beyond sampling error and noise":(i>0?"+":"")+U(i,a)+", "+un(i/s)+" of total "+
n[1].name]}function yt(){let e=["below 1 %","1 to 5 %","above 5 %"];return[...e.map((t,n)=>Y("more"+(n+1),"▲ more, "+t)),
...e.map((t,n)=>Y("less"+(n+1),"▼ less, "+t)),Y("none","no change beyond sampling error and noise")]}function Me(e,t){return e.sides?e.sides.some(n=>n[t]>0):e.total[t]>0}function fn(e){let t=new Set;for(let n=1;n<e.n;n++)
e.parent[n]>0&&Me(e,n)&&t.add(e.fn[e.parent[n]]);return t}function Et(e){let{types:t}=e.graph,n=s=>{let{self:l,total:u}=ie(
e.sides?{...e,self:e.graph.self[s],total:e.sides[s]}:e),d=e.sides?t[s].scale:e.type.scale;return{flat:l.map(f=>f*d),cum:u.
map(f=>f*d)}},r=fn(e),o=n(0),a=e.sides?n(1):null,i=[];return o.cum.forEach((s,l)=>{let u={fn:l,path:[l],calls:r.has(l),flat:o.
flat[l],cum:s};a&&Object.assign(u,{flatChange:u.flat-a.flat[l],cumChange:s-a.cum[l]}),(s>0||a&&a.cum[l]>0)&&i.push(u)}),
i}function wt(e,t){let n=[];for(let r=t+1;r<e.end[t];r=e.end[r])Me(e,r)&&n.push(r);return n}function Tt(e,t){let n=t.tree??
be(e,t.fn),{types:r}=n.graph;return wt(n,t.node??0).map(o=>{let a=l=>({flat:n.selves[l][o]*r[l].scale,cum:n.sides[l][o]*
r[l].scale}),i=n.sides?a(0):{flat:n.self[o]*n.type.scale,cum:n.total[o]*n.type.scale};if(n.sides){let l=a(1);Object.assign(
i,{flatChange:i.flat-l.flat,cumChange:i.cum-l.cum})}let s=n.fn[o];return{...i,fn:s,path:[...t.path,s],tree:n,node:o,calls:wt(
n,o).length>0}})}function Ue(e,t){let n=t==="flat"?"cum":"flat",r=(o,a)=>Math.abs(o[`${a}Change`]??o[a]);return e.sort((o,a)=>r(
a,t)-r(o,t)||r(a,n)-r(o,n)||o.fn-a.fn)}function mn(e,t){return e===0?"0":(e>0?"+":"")+U(e,t)}function xt(e){let{unit:t}=e.
sides?e.graph.types[0]:e.type,n=(e.whole??e.total[0])*e.type.scale;return["flat","cum"].flatMap(r=>[[r,r==="flat"?"Flat":
"Cum",o=>U(o[r],t)],e.sides?["","change",o=>mn(o[`${r}Change`],t)]:["","share",o=>X(n?o[r]/n:0)]])}function Ae(e,t){let n=[];for(let r=1;r<e.n;){if(e.fn[r]!==t){r++;continue}Me(e,r)&&n.push(r),r=e.end[r]}return n}function St(e,t){
let n=e.sides??[],r={parent:[-1],fn:[t],self:[0],total:[0],line:[0],most:[0],sides:n.map(()=>[0]),selves:n.map(()=>[0])},
o=new Map,a=e.funcs;function i(l,u){let d=l*a+u,f=o.get(d);if(f===void 0){f=r.fn.length,o.set(d,f),r.parent.push(l),r.fn.
push(u),r.self.push(0),r.total.push(0),r.line.push(0),r.most.push(0);for(let b of[...r.sides,...r.selves])b.push(0)}return f}
function s(l,u,d=u){r.total[l]+=e.total[u],e.total[d]>r.most[l]&&(r.most[l]=e.total[d],r.line[l]=e.line[d]),r.sides.forEach(
(f,b)=>{f[l]+=n[b][u]})}return{nodes:r,step:i,add:s}}function be(e,t){let{nodes:n,step:r,add:o}=St(e,t),a=[0];for(let i of Ae(
e,t))for(let s=i;s<e.end[i];s++){let l=e.depth[s]-e.depth[i];l>0&&(a[l]=r(a[l-1],e.fn[s])),o(a[l],s),n.self[a[l]]+=e.self[s],
n.selves.forEach((u,d)=>{u[a[l]]+=e.graph.self[d][s]})}return Mt(e,n)}function Lt(e,t){let{nodes:n,step:r,add:o}=St(e,t);
for(let a of Ae(e,t)){let i=0;o(0,a);for(let s=e.parent[a];s>0;s=e.parent[s])i=r(i,e.fn[s]),o(i,a,s)}return Mt(e,n)}function Mt(e,t){
let n=t.fn.length,r=Array.from({length:n},()=>[]);for(let s=1;s<n;s++)r[t.parent[s]].push(s);let o={n,graph:e.graph,type:e.
type,whole:e.whole??e.total[0],funcs:e.funcs,fn:new Int32Array(n),line:new Int32Array(n),depth:new Int32Array(n),parent:new Int32Array(
n),end:new Int32Array(n),self:new Float64Array(n),total:new Float64Array(n),x:new Float64Array(n)};e.sides&&(o.sides=e.sides.
map(()=>new Float64Array(n)),o.selves=e.sides.map(()=>new Float64Array(n)),o.wholes=e.wholes);let a=[[0,-1,0,0]],i=0;for(;a.
length;){let[s,l,u,d]=a.pop(),f=i++;o.fn[f]=t.fn[s],o.parent[f]=l,o.depth[f]=u,o.x[f]=d,o.self[f]=t.self[s],o.total[f]=t.
total[s],o.line[f]=t.line[s],o.sides?.forEach((L,v)=>{L[f]=t.sides[v][s]}),o.selves?.forEach((L,v)=>{L[f]=t.selves[v][s]});
let b=r[s].sort((L,v)=>t.total[v]-t.total[L]||t.fn[L]-t.fn[v]),w=d;for(let L of b)w+=t.total[L];for(let L of b.reverse())
w-=t.total[L],a.push([L,f,u+1,w])}return Ie(o),o.sides&&je(o),o}function ie(e){let t=new Float64Array(e.funcs),n=new Float64Array(
e.funcs),r=new Int32Array(e.funcs),o=[];for(let a=1;a<e.n;a++){for(;o.length>=e.depth[a];)r[o.pop()]--;let i=e.fn[a];t[i]+=
e.self[a],r[i]===0&&(n[i]+=e.total[a]),r[i]++,o.push(i)}return{self:t,total:n}}function We(e,t=e.keys()){let n=-1;for(let r of t)
e[r]>(n<0?0:e[n])&&(n=r);return n}function ve(e,t){let n=t.toLowerCase().split("|").map(i=>i.trim()).filter(Boolean);if(!n.length)return null;let r=i=>n.some(
s=>i.includes(s)),o=(e.files??[]).map(i=>r(i.toLowerCase())),a=new Set;return e.funcs.forEach(([i,s],l)=>{(r(i.toLowerCase())||
o[s])&&a.add(l)}),a}function pn(e,t){let n=new Uint8Array(e.n);for(let r=1;r<e.n;r++)n[r]=n[e.parent[r]]||t.has(e.fn[r])?
1:0;return n}function At(e,{focus:t,ignore:n,from:r}){let[o,a,i]=[t,n,r].map(d=>d&&pn(e,d)),s=d=>(!o||o[d])&&!(a&&a[d])&&
(!i||i[d]),l=(d,f)=>d.reduce((b,w)=>b+w,0)+e.graph.cut[f].reduce((b,[,w])=>b+w,0),u={...e.graph,wholes:e.graph.self.map(
l),lines:{fn:[],line:[],self:[],total:[]},self:e.graph.self.map(d=>d.map((f,b)=>s(b)?f:0)),cut:e.graph.cut.map(d=>d.filter(
([f])=>s(f)))};return xe(i?dn(e,u,i):u,e.funcs)}function dn(e,t,n){let r=[{depth:0,children:new Map}],o=new Int32Array(e.
n);for(let s=1;s<e.n;s++){if(!n[s])continue;let l=r[o[e.parent[s]]];l.children.has(e.fn[s])||(l.children.set(e.fn[s],r.length),
r.push({fn:e.fn[s],line:e.line[s],depth:l.depth+1,children:new Map})),o[s]=l.children.get(e.fn[s])}let a=s=>{let l=new Array(
r.length).fill(0);return s.forEach((u,d)=>{l[o[d]]+=u}),l},i=t.cut.map(s=>s.map(([l,u])=>[o[l],u]));return hn({...t,self:t.
self.map(a),cut:i},r)}function hn(e,t){let n=[...e.self[e.default]];for(let[s,l]of e.cut[e.default])n[s]+=l;for(let s=t.
length-1;s>=0;s--)for(let l of t[s].children.values())n[s]+=n[l];let r=[],o=[0];for(;o.length;){let s=o.pop();r.push(s);
for(let l of[...t[s].children.values()].sort((u,d)=>n[u]-n[d]))o.push(l)}let a=new Int32Array(t.length);r.forEach((s,l)=>{
a[s]=l});let i=r.slice(1);return{...e,fn:i.map(s=>t[s].fn),line:i.map(s=>t[s].line),up:i.map((s,l)=>t[r[l]].depth+1-t[s].
depth),self:e.self.map(s=>r.map(l=>s[l])),cut:e.cut.map(s=>s.map(([l,u])=>[a[l],u]))}}function Ge(e,t){if(e.hashes)return e.
hashes;let n=Ve(t);e.hashes=new Uint32Array(e.n);for(let r=1;r<e.n;r++)e.hashes[r]=_e(e.hashes[e.parent[r]],n[e.fn[r]],e.
depth[r]);return e.hashes}function Ve(e){return e.hashes??=e.funcs.map(([t])=>{let n=2166136261;for(let r=0;r<t.length;r++)
n=Math.imul(n^t.charCodeAt(r),16777619);return n}),e.hashes}function _e(e,t,n){return Math.imul(e^e>>>15^t,739982445)+n}
function $e(e,t,n){return n?Math.max(Ge(e,t).indexOf(n),0):0}function gn(e,t,n){let r=e.graph.lines,o=[];if(r.fn?.forEach((s,l)=>{s===n&&o.push({line:r.line[l],self:r.self[t][l],total:r.
total[t][l]})}),o.length)return{rows:o,exact:!0};let a=new Map,i=s=>(a.has(s)||a.set(s,{line:s,self:0,total:0}),a.get(s));
for(let s of Ae(e,n))i(e.line[s]).total+=e.total[s];for(let s=1;s<e.n;s++)e.fn[s]===n&&(i(e.line[s]).self+=e.self[s]);return{
rows:[...a.values()].sort((s,l)=>s.line-l.line),exact:!1}}function B(e,t,n){let r=document.createElement(e);return r.append(
t),n&&(r.className=n),r}function bn(e){let t="http://www.w3.org/2000/svg",n=document.createElementNS(t,"svg");n.setAttribute(
"class","share"),n.setAttribute("viewBox","0 0 100 6"),n.setAttribute("preserveAspectRatio","none"),n.setAttribute("aria\
-hidden","true");for(let[r,o]of[["track",100],["fill",Math.min(100*e,100)]]){let a=document.createElementNS(t,"rect");a.
setAttribute("class",r),a.setAttribute("width",String(o)),a.setAttribute("height","6"),n.append(a)}return n}function vt(e,t,n,r){
let o=e.tree,{rows:a,exact:i}=gn(o,n,r),s=document.createElement("table"),l=document.createElement("tr");for(let[b,w]of[
["Line","num"],["Self","num"],["Share","num"],["With callees","num"],["Share","num"],["",""]]){let L=B(b?"th":"td",b,w);
b&&(L.scope="col"),l.append(L)}let u=document.createElement("tbody"),d=o.whole??o.total[0];for(let b of a){let w=document.
createElement("tr"),L=Be(t,r,b.line),v=B("th",L?Oe(L,String(b.line)):b.line?String(b.line):"–","num");v.scope="row",w.
append(v,B("td",ne(e,b.self),"num"),B("td",G(e,b.self),"num"),B("td",ne(e,b.total),"num"),B("td",G(e,b.total),"num"),B("\
td",bn(d?b.total/d:0),"barcell")),u.append(w)}if(s.append(B("thead",l),u),i)return[s];let f=B("p","The page has every li\
ne only for the heaviest functions. In this function, each frame counts at its heaviest line.","note");return[s,f]}var z=(()=>{let e={width:0,height:0,top:0,match:null,marks:new Map},t=[],n=[],r=[],o,a,i,s,l,u,d,f=0,b=0,w="graph",L=!1,
v=!0,x=-1,T=[],R=0,K=null,D=()=>{};function A(c){return a.querySelector(c)}function V(c,m={}){return{tree:c,zoom:0,base:0,
dir:1,from:0,hover:-1,selected:-1,...m}}function $(){return[V(t[f],{dir:L?-1:1})]}function q(c=R){return{...e,...T[c]}}function I(){
performance.clearMeasures("flame");let c=performance.now();if(e.width=i.clientWidth,!e.width)return;let m=rt(T,e.width)*
H,g=parseFloat(getComputedStyle(i).maxHeight)||m;e.height=Math.min(m,g),A(".spacer").style.height=m-e.height+"px",v&&(i.
scrollTop=L&&w==="graph"?m:0),v=!1,e.top=Math.min(i.scrollTop,m-e.height);let y=devicePixelRatio||1,[M,Q]=[Math.round(e.
width*y),Math.round(e.height*y)];(s.width!==M||s.height!==Q)&&(s.width=M,s.height=Q,s.style.width=e.width+"px",s.style.height=
e.height+"px"),l.setTransform(y,0,0,y,0,0),l.clearRect(0,0,e.width,e.height),T.forEach((vn,Yt)=>ot(l,q(Yt),o)),performance.
measure("flame",{start:c,end:performance.now()})}function j(){d.replaceChildren(...dt(q(),o)),w==="lines"&&x>=0&&A(".lin\
es").replaceChildren(...vt(se(),o,b,x))}function re(c){T[0].zoom=c,v||=L,I(),j(),D(!0)}function O(c,m){for(let M of T)M.
selected=-1;R=c;let g=T[c];g.selected=m;let y=g.base+g.dir*g.tree.depth[m]*H;(y<i.scrollTop||y+H>i.scrollTop+e.height)&&
(i.scrollTop=y-e.height/2),I(),j(),D(!1)}function fe(c){e.match=ve(o,c),w!=="graph"&&J(),I(),j(),D(!1)}function oe(){for(let c of T)
c.selected=-1;T[0].zoom=0,R=0,A("input").value="",v=!0,D(!0),fe("")}function me(c){b=c;let m=t[f];if(Pe(m,c),w==="graph"){
let g=T[0];for(;g.zoom>0&&m.total[g.zoom]===0;)g.zoom=m.parent[g.zoom]}else C(x);A(".types select").value=String(c),A(".\
legend").replaceChildren(...gt({...e,tree:m},o)),I(),j(),D(!0)}function p(c){f=c;let m=o.graphs[c];n[c]??=xe(m,o.funcs.length),
t[c]??=K?At(n[c],K):n[c],r.length=0,T=$(),R=0,v=!0,a.querySelectorAll(".tabs button").forEach((y,M)=>{y.setAttribute("ar\
ia-selected",String(M===c)),y.tabIndex=M===c?0:-1}),A(".types select").replaceChildren(...m.types.map((y,M)=>new Option(
y.name,String(M),!1,M===m.default))),A(".types").hidden=m.types.length<2,A(".marks").replaceChildren(...bt(q(),o,Te)),Pe(
t[c],m.default),w!=="graph"&&(x=h()),me(m.default)}function h(){let{self:c,total:m}=ie(t[f]);return x>=0&&m[x]>0?x:Math.
max(We(c),0)}function E(c){let m=T[R];m.selected>=0&&m.tree.fn[m.selected]>=0&&(x=m.tree.fn[m.selected]),w=c,r.length=0;
for(let g of a.querySelectorAll(".modes button"))g.setAttribute("aria-pressed",String(g.dataset.mode===w));a.dataset.mode=
w,A(".function").hidden=w==="graph",A(".lines").hidden=w!=="lines",i.hidden=w==="lines",A(".legend").hidden=w==="lines",
A("[data-up]").disabled=w!=="graph",v=!0,w==="graph"?(T=$(),R=0):C(h()),I(),j(),D(!0)}function S(){if(w!=="graph")return;
k(!L);let c=T[0];v=!0,I(),D(!0),c.selected>=0&&O(0,c.selected),j()}function k(c){L=c,A("[data-up]").setAttribute("aria-p\
ressed",String(L)),w==="graph"&&(T[0].dir=L?-1:1)}function C(c){x=c;let m=t[f];R=0,T=w==="sandwich"?[V(be(m,c),{selected:0}),
V(Lt(m,c),{dir:-1,from:1})]:[V(be(m,c),{selected:0})],J(),w==="sandwich"&&(e.width=i.clientWidth,I(),i.scrollTop=Math.max(
0,T[0].base-e.height/2))}function F(c){c<0||c===x||(r.push(x),C(c),I(),j(),D(!0))}function J(){let{self:c,total:m}=ie(t[f]),
g=[...m.keys()].filter(M=>m[M]>0&&(!e.match||e.match.has(M))).sort((M,Q)=>m[Q]-m[M]||c[Q]-c[M]).slice(0,300);g.includes(
x)||g.unshift(x);let y=M=>G(se(),m[M])+"  "+ee(o,M);A(".function select").replaceChildren(...g.map(M=>new Option(y(M),String(
M),!1,M===x)))}function se(){return{...e,tree:t[f]}}function Te(...c){if(w!=="graph"){F(c.at(-1));return}let m=t[f],g=lt(
m,c);if(g<0)return;let y=g;for(;y>0&&m.total[g]/m.total[y]>.12;)y=m.parent[y];T[0].zoom=y,v||=L,I(),D(!0),O(0,g)}function Nt(){
let{tree:c,zoom:m,selected:g}=T[0],y=g<0?m:g,M=()=>O(0,g<0?m:Se(c,y)),Q=()=>{c.parent[y]<0||(y===m&&re(c.parent[y]),O(0,
c.parent[y]))};return{ArrowDown:L?Q:M,ArrowUp:L?M:Q,u:S,ArrowLeft:()=>{y!==m&&O(0,de(c,y,-1))},ArrowRight:()=>{y!==m&&O(
0,de(c,y,1))},Enter:()=>re(y),Escape:()=>{m>0?re(c.parent[m]):oe()},Home:oe}}function qt(){let{tree:c,selected:m}=T[R],g=Math.
max(m,0),y=()=>O(R,Se(c,g)),M=()=>O(c.parent[g]>0?R:0,Math.max(c.parent[g],0));return{ArrowDown:R===0?y:M,ArrowUp:()=>{R===
1?y():g>0?M():T[1].tree.n>1&&O(1,Se(T[1].tree,0))},ArrowLeft:()=>O(R,de(c,g,-1)),ArrowRight:()=>O(R,de(c,g,1)),Enter:()=>F(
c.fn[g]),Escape:()=>zt(),Home:()=>O(0,0)}}function zt(){r.length?(C(r.pop()),I(),j(),D(!0)):E("graph")}function Ze(c){let m=w===
"graph"?Nt():qt();!m[c.key]||c.ctrlKey||c.metaKey||c.altKey||(c.preventDefault(),m[c.key]())}function Kt(){s.addEventListener(
"pointermove",c=>{let[m,g]=He(T,e,c.offsetX,c.offsetY);T.some((y,M)=>y.hover!==(M===m?g:-1))&&(T.forEach((y,M)=>{y.hover=
M===m?g:-1}),I()),c.pointerType==="mouse"&&ze(u,g<0?null:qe(q(m),o,g),c.clientX,c.clientY)}),s.addEventListener("pointer\
leave",()=>{for(let c of T)c.hover=-1;ze(u,null),I()}),s.addEventListener("click",c=>{let[m,g]=He(T,e,c.offsetX,c.offsetY);
if(!(g<0)){if(w==="sandwich"){F(T[m].tree.fn[g]);return}T[0].selected=g,re(g)}})}function jt(){let c=A(".tabs");c.replaceChildren(
...o.graphs.map((m,g)=>ht(m.title,()=>p(g)))),c.addEventListener("keydown",m=>{let g={ArrowRight:1,ArrowLeft:-1}[m.key];
g&&(p((f+g+o.graphs.length)%o.graphs.length),c.children[f].focus())})}function Ut(c,m){if(a=document.getElementById("fla\
me"),!(!a||!c.graphs?.length)){o=c,i=A(".stage"),s=i.querySelector("canvas"),l=s.getContext("2d"),u=A(".tip"),d=A(".stat\
us");for(let g of o.marks??[]){let y=e.marks.get(g.fn)??[];e.marks.set(g.fn,y.includes(g.id)?y:[...y,g.id])}jt(),Kt(),i.
addEventListener("keydown",Ze),i.addEventListener("scroll",I);for(let g of a.querySelectorAll(".modes button"))g.addEventListener(
"click",()=>E(g.dataset.mode));A(".types select").addEventListener("change",g=>me(Number(g.target.value))),A(".function \
select").addEventListener("change",g=>F(Number(g.target.value))),A("input").addEventListener("input",g=>fe(g.target.value)),
A("input").addEventListener("keydown",Wt),A(".reset").addEventListener("click",oe),A("[data-up]").addEventListener("clic\
k",S),p(o.marks?.[0]?.graph??0),m&&(D=m),new ResizeObserver(I).observe(a),P.onChange(I)}}function Wt(c){if(c.key!=="Ente\
r"||!e.match?.size)return;let{total:m}=ie(t[f]),g=We(m,e.match);g>=0&&Te(g)}function Gt(c){let m=o.marks[c];w!=="graph"&&
E("graph"),f!==m.graph&&p(m.graph),Te(m.fn),a.scrollIntoView({block:"start"}),i.focus({preventScroll:!0})}function Vt(c){
f!==c&&p(c),i.focus({preventScroll:!0})}function _t(){let{zoom:c,selected:m}=T[0],g=y=>w==="graph"&&y>0?Ge(t[f],o)[y]:0;
return{graph:f,type:o.graphs[f].types[b].name,view:w,zoom:g(c),at:g(m),up:L?"1":"",fn:w==="graph"?"":o.funcs[x]?.[0]??"",
find:A("input").value}}function $t(c){let m=D;D=()=>{},K=c.filter,t.length=0,k(c.up==="1"),p(Math.min(c.graph,o.graphs.length-
1)),w!=="graph"&&E("graph");let g=o.graphs[f].types.findIndex(y=>y.name===c.type);if(g>=0&&g!==b&&me(g),A("input").value=
c.find,fe(c.find),c.view==="sandwich"||c.view==="lines")x=o.funcs.findIndex(([y])=>y===c.fn),E(c.view);else{T[0].zoom=$e(
t[f],o,c.zoom),I();let y=$e(t[f],o,c.at);y>0?O(0,y):j()}D=m}function Qt(){return{tree:t[f],column:b,match:e.match}}function Xt(){
let c=T[R];return c.selected>0||w!=="graph"&&c.selected===0?ae(q(),o,c.selected):""}return{start:Ut,showMark:Gt,showGraph:Vt,
reset:oe,turn:S,state:_t,restore:$t,shownFunctions:Qt,selectedName:Xt,jump:Te,keys:Ze}})();var kt=(()=>{let e=[],t="",n=!1,r=!1,o=()=>{};function a(){let u=new URLSearchParams;for(let d of e)d.write(u);return u.
size?"#~"+u.toString().replaceAll("%2C",","):""}function i(u){r||=u,!n&&(n=!0,queueMicrotask(()=>{let d=a();if(d!==t){let f=new URL(
location.href);f.hash=d,r?history.pushState({view:d},"",f):history.replaceState({view:d},"",f),t=d}n=r=!1}))}function s(){
let u=location.hash&&!location.hash.startsWith("#~")?location.hash.slice(1):"",d=history.state?.view;if(u&&typeof d!="st\
ring"){o(u),t=a(),history.replaceState({view:t},"");return}let f=u?String(d):location.hash;if(f===t)return;let b=new URLSearchParams(
f.slice(2));for(let w of e)w.read(b);t=a()}function l(u,d){return e=u,d&&(o=d),addEventListener("popstate",s),addEventListener(
"hashchange",s),s(),new URLSearchParams(t.slice(2))}return{start:l,changed:i}})();var yn=50,ke=(()=>{let e=new Map,t=new Map,n=!1;function r(s){if(s.id)return s.id;let l=s.closest("[id]")??document.body,
u=[...l.querySelectorAll("details:not([id])")].filter(d=>(d.closest("[id]")??document.body)===l);return l.id+"."+u.indexOf(
s)}function o(s=kt.changed){for(let u of document.querySelectorAll("details"))e.set(u,u.open),t.set(r(u),u);document.addEventListener(
"toggle",()=>{n||s(!0)},!0);let l=[];addEventListener("beforeprint",()=>{n=!0,l=[...document.querySelectorAll("details.f\
inding:not([open])")];for(let u of l)u.open=!0}),addEventListener("afterprint",()=>{for(let u of l)u.open=!1;n=!1})}let a={
write:s=>{let l=[...t].filter(([,u])=>u.open!==e.get(u));for(let[u,d]of[["unfold",!0],["fold",!1]]){let f=l.filter(([,b])=>b.
open===d).map(([b])=>b).slice(0,yn);f.length&&s.set(u,f.join(","))}},read:s=>{let l=f=>new Set((s.get(f)??"").split(",")),
u=l("unfold"),d=l("fold");for(let[f,b]of t)b.open=u.has(f)||e.get(b)&&!d.has(f)}};function i(s){let l=document.getElementById(
s),u=l?.closest("details");!u||u.open||(u.open=!0,l.scrollIntoView())}return{start:o,part:a,follow:i}})();var wn=50;function Ct(e,t,n,{shown:r,show:o,changed:a}){let i=new Set,s=new WeakMap,l="flat",u=30,d=[],f,b;function w(){
let p=r(),h=[p.tree,p.column,p.match,l,u];if(h.every((C,F)=>C===d[F]))return;d=h,f=p.tree,b=xt(f);let E=s.get($(document.
activeElement))?.key,S=Ue(Et(f).filter(C=>!p.match||p.match.has(C.fn)),l);e.replaceChildren(...S.length?L(S):[B("p","No \
function matches.","empty")]);let k=V();k.length&&(k[0].tabIndex=0),E!==void 0&&q(k.find(C=>s.get(C).key===E)??k[0])}function L(p){
let h=_("table","treegrid","cards functions");h.setAttribute("aria-label","Functions"),h.setAttribute("aria-describedby",
"functions-how");let E=_("thead","rowgroup");E.append(v());let S=_("tbody","rowgroup");if(S.append(...p.slice(0,u).flatMap(
(C,F)=>x(C,F,p.length))),h.append(E,S),p.length<=u)return[h];let k=B("button","Show more: "+ge(p.length-u)+" functions a\
re left","quiet more");return k.type="button",k.addEventListener("click",()=>{let C=u;u+=200,a(!1),q(V().filter(F=>F.ariaLevel===
"1")[C])}),[h,k]}function v(){let p=_("tr","row"),h=_("th","columnheader");return h.scope="col",h.append("Function"),p.append(
h,...b.map(([E,S])=>{let k=_("th","columnheader","num");if(k.scope="col",!E)return k.append(S),k;let C=B("button",S+(E===
l?" ▾":""),"link");return C.type="button",C.dataset.sort=E,C.addEventListener("click",()=>{l=E,a(!0),e.querySelector("\
[data-sort="+E+"]")?.focus()}),E===l&&k.setAttribute("aria-sort","descending"),k.append(C),k})),p}function x(p,h,E){p.key=
En(n,p.path);let S=_("tr","row");return s.set(S,p),S.tabIndex=-1,S.setAttribute("aria-level",String(p.path.length)),S.setAttribute(
"aria-posinset",String(h+1)),S.setAttribute("aria-setsize",String(E)),p.calls&&S.setAttribute("aria-expanded",String(i.has(
p.key))),S.append(R(S,p),...b.map(([k,C,F],J)=>{let se=_("td","gridcell","num");return se.append(F(p)),se.dataset.label=
k?C.toLowerCase():b[J-1][1].toLowerCase()+" "+C,se})),p.calls&&i.has(p.key)?[S,...T(p)]:[S]}function T(p){let h=Ue(Tt(f,
p),l);return h.flatMap((E,S)=>x(E,S,h.length))}function R(p,h){let E=_("th","rowheader");E.scope="row";let S=B("span",h.
calls?i.has(h.key)?"▾":"▸":"","twist");S.setAttribute("aria-hidden","true"),S.addEventListener("click",()=>{h.calls&&
I(p)});let k=B("button",n.funcs[h.fn][0],"link symbol");k.type="button",k.tabIndex=-1,k.addEventListener("click",()=>o(h.
path));let C=B("div",k);C.append(B("span",[...K(h.fn),...D(h.fn)].join(" · "),"sub"));let F=B("div",S,"tree");return F.
style.setProperty("--above",String(h.path.length-1)),F.append(C),E.append(F),E}function K(p){let[,h,E]=n.funcs[p];return E===
Re?[W[E],n.files[h]]:[W[E],...h<0?[]:[n.files[h].split("/").slice(-2).join("/")]]}function D(p){return[...new Set((n.marks??
[]).filter(h=>h.fn===p).map(h=>h.id))]}function A(p,h){let E=b.map(([,,F])=>F(h)),S=h.path.slice(0,-1).map(F=>ee(n,F)).reverse(),
k=D(h.fn),C=h.calls?p.ariaExpanded==="true"?"What it calls is open":"Right shows what it calls":"It calls nothing that w\
as counted";return[n.funcs[h.fn][0]+(S.length?", called by "+S.join(", by "):""),[["itself",0],["with what it calls",2]].
map(([F,J])=>E[J]+" "+F+", "+E[J+1]+(f.sides?" against the base":" of all")).join("; "),(Z(n,h.fn)?"It is ":"In ")+[Ne[W[n.
funcs[h.fn][2]]],...K(h.fn).slice(1)].join(", "),...k.length?["A place of "+k.join(", ")]:[],C].join(". ")+"."}function V(){
return[...e.querySelectorAll("tbody tr")]}function $(p){return p&&e.contains(p)?p.closest("tbody tr"):null}function q(p){
p?.focus()}function I(p){let h=s.get(p),E=!i.delete(h.key);if(E)i.add(h.key),p.after(...T(h));else for(;Number(p.nextElementSibling?.
ariaLevel)>h.path.length;)p.nextElementSibling.remove();p.setAttribute("aria-expanded",String(E)),p.querySelector(".twis\
t").textContent=E?"▾":"▸",$(document.activeElement)===p?t.textContent=A(p,h):e.querySelector('tbody tr[tabindex="0"]')||
(p.tabIndex=0),a(!1)}function j(p){let h=p.previousElementSibling;for(;h&&Number(h.ariaLevel)>=Number(p.ariaLevel);)h=h.
previousElementSibling;return h}function re(p){let h=$(p.target);if(!h||p.ctrlKey||p.metaKey||p.altKey)return;let E=h.ariaExpanded,
S={ArrowDown:()=>q(h.nextElementSibling),ArrowUp:()=>q(h.previousElementSibling),ArrowRight:()=>{E==="true"?q(h.nextElementSibling):
E&&I(h)},ArrowLeft:()=>{E==="true"?I(h):q(j(h))},Home:()=>q(V()[0]),End:()=>q(V().at(-1)),Enter:()=>o(s.get(h).path)}[p.
key];S&&(p.preventDefault(),p.stopPropagation(),S())}function O(p){let h=$(p.target);if(!h)return;for(let S of e.querySelectorAll(
'tbody tr[tabindex="0"]'))S.tabIndex=-1;h.tabIndex=0;let E=A(h,s.get(h));t.textContent!==E&&(t.textContent=E)}e.addEventListener(
"keydown",re),e.addEventListener("focusin",O);function fe(){return{sort:l,open:[...i].slice(-wn).map(p=>p.toString(16)).
join(".")}}function oe({sort:p,open:h}){l=p==="cum"?"cum":"flat",i.clear();for(let E of h.split("."))E&&i.add(Number.parseInt(
E,16));d=[]}function me(){let p=s.get($(document.activeElement));return p?n.funcs[p.fn][0]:""}return{refresh:w,state:fe,
restore:oe,focusedName:me}}function _(e,t,n){let r=document.createElement(e);return r.setAttribute("role",t),n&&(r.className=
n),r}function En(e,t){let n=Ve(e);return t.reduce((r,o,a)=>_e(r,n[o],a+1),0)>>>0}function Rt(e){let t=document.querySelector(
".stage");z.jump(...e),t.scrollIntoView({block:"center"}),t.focus({preventScroll:!0})}function ye(e){return/^[\w./:=@%,+-]+$/.test(e)?e:"'"+e.replaceAll("'","'\\''")+"'"}function Ft(e){return"(?i)"+e.split(
"|").map(n=>n.trim()).filter(Boolean).map(n=>n.replace(/[\\.+*?()|[\]{}^$]/g,"\\$&")).join("|")}function Dt({type:e,filters:t,
tagroot:n,tagleaf:r,file:o,base:a}){let i=["go","tool","pprof","-http=:"];e&&i.push(ye("-sample_index="+e));for(let[s,l]of[
["focus",t.focus],["ignore",t.ignore],["show_from",t.from]])l.trim()&&i.push(ye("-"+s+"="+Ft(l)));for(let[s,l]of[["tagro\
ot",n],["tagleaf",r]])l&&!l.includes(",")&&i.push(ye("-"+s+"="+l));return a&&i.push(ye("-diff_base="+a)),i.push(ye(o)),i.
join(" ")}function Ht({type:e,filters:t}){let n=new URLSearchParams;for(let[r,o]of[["f",t.focus],["i",t.ignore],["sf",t.
from]])o.trim()&&n.set(r,Ft(o));return e&&n.set("si",e),n.size?"?"+n:""}document.documentElement.classList.add("js");P.start();var N=JSON.parse(document.getElementById("data").textContent),we=[
"focus","ignore","from"],Ee=e=>document.querySelector("[data-filter="+e+"]"),Qe=document.querySelector(".stage"),le=document.
getElementById("keys"),Xe="",ce,ue=(N.flame.graphs?.length??1)-1;function Pt(){return Object.fromEntries(we.map(e=>[e,Ee(
e).value]))}function Bt(){let e=we.map(t=>[t,ve(N.flame,Ee(t).value)]);return e.some(([,t])=>t)?Object.fromEntries(e):null}
function Ye(){let e=z.state(),{types:t,default:n}=N.flame.graphs[e.graph],r=new URLSearchParams;for(let[o,a,i]of[["file",
N.file,""],["base",N.base,""],["tagroot",N.tagroot,""],["tagleaf",N.tagleaf,""],["diff",e.graph===ue?"":"off",""],["type",
e.type,t[n].name],["view",e.view,"graph"],["up",e.up,""],["fn",e.fn,""],["zoom",e.zoom.toString(16),"0"],["at",e.at.toString(
16),"0"],["q",e.find,""],...Object.entries(Pt()).map(([s,l])=>[s,l.trim(),""]),["sort",ce.state().sort,"flat"],["open",ce.
state().open,""]])a!==i&&r.set(o,a);return ke.part.write(r),location.pathname+"?"+r.toString().replaceAll("%2F","/").replaceAll(
"%2C",",")}function It(){let e=new URLSearchParams(location.search);for(let n of we)Ee(n).value=e.get(n)??"";ke.part.read(
e),ce.restore({sort:e.get("sort"),open:e.get("open")??""});let t=n=>Number.parseInt(e.get(n)??"0",16)||0;z.restore({graph:e.
get("diff")==="off"?0:ue,type:e.get("type")??"",view:e.get("view")??"graph",fn:e.get("fn")??"",up:e.get("up")??"",zoom:t(
"zoom"),at:t("at"),find:e.get("q")??"",filter:Bt()}),Xe=Ye(),Ot()}function Ce(e){let t=Ye();if(t!==Xe){let n=history.state?.
depth??0;e?history.pushState({depth:n+1},"",t):history.replaceState({depth:n},"",t),Xe=t}Ot()}function Ot(){ce.refresh();
let e=z.state(),{types:t,default:n}=N.flame.graphs[0],r=e.graph===0?e.type:t[n].name,o={type:t.length>1?r:"",filters:Pt(),
tagroot:N.tagroot,tagleaf:N.tagleaf,file:location.origin+N.download,base:ue>0&&e.graph===ue?location.origin+N.base_download:
""};document.getElementById("pprof").textContent=Dt(o),Tn(),document.getElementById("pprof-pages").search=Ht(o)}function Tn(){
for(let e of document.querySelectorAll(".tags a")){let t=new URLSearchParams(e.search),n=new URLSearchParams(new URL(Ye(),
location.href).search);for(let r of["tagroot","tagleaf"])n.delete(r);for(let r of["zoom","at","unfold","fold"])n.delete(
r);for(let r of["tagroot","tagleaf"])t.get(r)&&n.set(r,t.get(r));e.search=n.toString().replaceAll("%2F","/")}}function Je(e){
z.restore({...z.state(),filter:Bt(),...e}),Ce(!0)}function xn(){for(let e of we)Ee(e).value="";Je({view:"graph",fn:"",zoom:0,
at:0,find:"",filter:null})}function Sn(){if(ue>0){Je({graph:ue-z.state().graph,type:""});return}let e=document.querySelector(
"#compare summary");e&&(e.parentElement.open=!0,e.focus())}async function Ln(){let e=ce.focusedName()||z.selectedName(),
t=document.getElementById("said");try{await navigator.clipboard.writeText(e||location.href),t.textContent=e?"Copied the \
function’s name.":"Copied the address of this view."}catch{t.textContent="The browser does not let this page copy."}}var Mn={
"/":()=>document.querySelector(".find input").focus(),"?":()=>le.showModal(),Backspace:()=>{history.state?.depth>0&&history.
back()},c:Ln,d:Sn,u:z.turn};function An(e){let t=e.target;if(e.ctrlKey||e.metaKey||e.altKey||le.open)return;let n=t.matches(
"input, select, textarea"),r=t===document.body||le.contains(t),o=e.key==="Escape"?xn:n?null:Mn[e.key];o?(e.preventDefault(),
e.stopPropagation(),o(),e.key==="Escape"&&Qe.focus({preventScroll:!0})):r&&/^(Arrow|Enter|Home)/.test(e.key)&&(Qe.focus(
{preventScroll:!0}),z.keys(e))}if(N.flame.graphs?.length){Qe.setAttribute("aria-label","Flame graph. Arrow keys move, En\
ter zooms in, Backspace goes back, u turns it upside down, Escape resets."),ce=Ct(document.getElementById("function-tabl\
e"),document.getElementById("row-said"),N.flame,{shown:z.shownFunctions,show:Rt,changed:Ce}),z.start(N.flame,Ce),ke.start(
Ce),It(),history.replaceState({depth:history.state?.depth??0},"",location.href),addEventListener("popstate",It);for(let e of we)
Ee(e).addEventListener("change",()=>Je({}));document.addEventListener("keydown",An,!0);for(let e of document.querySelectorAll(
"[data-keys]"))e.addEventListener("click",()=>le.showModal());le.querySelector("button").addEventListener("click",()=>le.
close())}et();})();

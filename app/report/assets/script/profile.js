// Made of app/report/web/profile.ts by `make web`.
"use strict";(()=>{function tt(){for(let e of document.querySelectorAll("[data-copy]"))e.addEventListener("click",async()=>{let t=document.
getElementById(e.dataset.copy);try{await navigator.clipboard.writeText(t.textContent),e.textContent="Copied"}catch{getSelection().
selectAllChildren(t),e.textContent="Selected"}})}var P=(()=>{let e=document.documentElement,t=matchMedia("(prefers-color-scheme: dark)"),n=[],r=document.createElement("s\
pan");r.hidden=!0,document.body.append(r);let o="",a=!1,l=()=>!a&&(o?o==="dark":t.matches);function s(){e.style.colorScheme=
a?"light":o;let c=document.getElementById("theme");c.textContent=l()?"Light":"Dark";for(let m of n)m()}function i(){document.
getElementById("theme").addEventListener("click",()=>{o=l()?"light":"dark",s()}),t.addEventListener("change",s),addEventListener(
"beforeprint",()=>{a=!0,s()}),addEventListener("afterprint",()=>{a=!1,s()}),s()}function u(c){return r.style.color="var(\
--"+c+")",getComputedStyle(r).color}function d(c){return getComputedStyle(e).getPropertyValue("--"+c).trim()}return{start:i,
color:u,font:d,onChange:c=>n.push(c)}})();var W=["user","dependency","std","runtime","label"],Re=W.indexOf("label"),Fe="↳ ",D=19,rt=.5,pe=4;function en(){return{
owner:W.map(e=>P.color("f-"+e)),text:P.color("f-text"),rest:P.color("f-rest"),match:P.color("f-match"),mark:P.color("f-m\
ark"),markText:P.color("f-mark-text"),more:[1,2,3].map(e=>P.color("f-more"+e)),less:[1,2,3].map(e=>P.color("f-less"+e)),
none:P.color("f-none"),ground:P.color("raised"),focus:P.color("text"),muted:P.color("muted")}}function He(e){let t=e.search(
/[[(]/);return e.slice(e.lastIndexOf("/",t<0?e.length:t)+1)}function Z(e,t){return t>=0&&e.funcs[t][2]===Re}function ee(e,t){
return Z(e,t)?e.funcs[t][0]:He(e.funcs[t][0])}function tn(e,t,n){let r=e.depth[t];for(let o=t;o<e.end[t];){if(e.total[o]*
n<rt){o=e.end[o];continue}e.depth[o]>r&&(r=e.depth[o]),o++}return r+1}function ot(e,t){let n=e.map(({tree:o,zoom:a})=>tn(
o,a,o.total[a]>0?t/o.total[a]:0));if(e.length===1){let o=Math.max(n[0],3);return e[0].base=e[0].dir>0?0:(o-1)*D,o}let r=n[1]-
1;for(let o of e)o.base=r*D;return Math.max(r+n[0],3)}function De(e,t,n,r){let o=Math.floor((r+t.top-e[0].base)/D),a=o<0&&
e.length>1?1:0,{tree:l,zoom:s,dir:i}=e[a];if(o*i<0)return[a,-1];let u=Math.abs(o);if(u<l.depth[s]){let c=s;for(;c>=0&&l.
depth[c]>u;)c=l.parent[c];return[a,c]}let d=l.x[s]+n/t.width*l.total[s];for(let c=s;c<l.end[s];){if(d<l.x[c]||d>=l.x[c]+
l.total[c]){c=l.end[c];continue}if(l.depth[c]===u)return[a,c];c++}return[a,-1]}function st(e,t,n){let{tree:r,zoom:o,width:a,
height:l,top:s,base:i,dir:u,from:d}=t,c=en(),m=r.total[o]>0?a/r.total[o]:0,y=new Float64Array(4096).fill(-1);e.font="11.\
5px "+P.font("mono"),e.textBaseline="middle";let E=e.measureText("m").width,L={ctx:e,c,glyph:E,view:t,data:n,t:r};for(let x=r.
parent[o];x>=0;x=r.parent[x])nt(L,x,0,i+u*r.depth[x]*D-s,a,!0);for(let x=o;x<r.end[o];){let T=i+u*r.depth[x]*D-s,R=r.total[x]*
m;if((u>0?T>l:T<-D)||R===0){x=r.end[x];continue}if(r.depth[x]<d){x++;continue}let z=(r.x[x]-r.x[o])*m;if(R<rt){let H=Math.
floor(z);T>-D&&T<l&&y[r.depth[x]]<H&&(e.fillStyle=c.rest,e.fillRect(H,T,1,D-1),y[r.depth[x]]=H),x=r.end[x];continue}T>-D&&
T<l&&nt(L,x,z,T,R,!1),x++}}function nn(e,t,n,r){if(!t.change)return r<0?e.rest:e.owner[r];let o=at(t.change[n]);return o>
0?e.more[o-1]:o<0?e.less[-o-1]:e.none}function nt({ctx:e,c:t,glyph:n,view:r,data:o,t:a},l,s,i,u,d){let c=a.fn[l],m=c<0?-1:
o.funcs[c][2],y=r.match&&c>=0&&r.match.has(c),E=d||r.match&&!y;e.globalAlpha=E?.4:a.change?1:[1,.86,.93][c<0?0:c%3],e.fillStyle=
y?t.match:nn(t,a,l,m);let L=u>3?1:0;e.fillRect(s,i,u-L,D-1),y&&(e.fillStyle=t.text,e.fillRect(s,i+D-3,u-L,2)),e.globalAlpha=
d?.75:1;let x=s+pe,T=c<0?void 0:r.marks.get(c);T&&(x=rn(e,t,T,s,i,u-L,n));let R=a.change?lt(a.change[l]):"",z=a.line[l]<
0?Fe:"";on(e,R+z+(c<0?"all":ee(o,c)),t.text,x,i,s+u-pe,n),e.globalAlpha=1,(l===r.selected||l===r.hover)&&(e.strokeStyle=
t.focus,e.lineWidth=l===r.selected?2:1,e.strokeRect(s+1,i+1,Math.max(u-L-2,1),D-3))}function rn(e,t,n,r,o,a,l){if(e.fillStyle=
t.mark,a<5)return e.fillRect(r,o,a,D-1),r+pe;e.strokeStyle=t.mark,e.lineWidth=2,e.strokeRect(r+1,o+1,a-2,D-3);let s=n.join(
" "),i=s.length*l+8;return i>a?r+pe:(e.fillRect(r,o,i,D-1),e.fillStyle=t.markText,e.fillText(s,r+4,o+D/2),r+i+pe)}function on(e,t,n,r,o,a,l){
let s=Math.floor((a-Math.max(r,0))/l);s<2||(e.fillStyle=n,e.fillText(t.length<=s?t:t.slice(0,s-1)+"…",Math.max(r,0),o+
D/2))}function Te(e,t){let n=(e.fn??[]).length+1,r={n,graph:e,funcs:t,fn:new Int32Array(n),line:new Int32Array(n),depth:new Int32Array(
n),parent:new Int32Array(n),end:new Int32Array(n),self:new Float64Array(n),total:new Float64Array(n),x:new Float64Array(
n)};r.fn[0]=-1,r.parent[0]=-1;for(let o=1;o<n;o++){r.fn[o]=e.fn[o-1],r.line[o]=e.line[o-1];let a=o-1;for(let l=e.up[o-1];l>
0;l--)a=r.parent[a];r.parent[o]=a,r.depth[o]=r.depth[a]+1}return Ie(r),r}function Ie(e){for(let t=e.n-1;t>=0;t--)e.end[t]=
Math.max(e.end[t],t+1),t>0&&(e.end[e.parent[t]]=Math.max(e.end[e.parent[t]],e.end[t]))}function Pe(e,t){let{self:n,total:r,
x:o,parent:a,n:l}=e;n.set(e.graph.self[t]),r.set(e.graph.self[t]);for(let[i,u]of e.graph.cut[t])r[i]+=u;for(let i=l-1;i>
0;i--)r[a[i]]+=r[i];let s=new Float64Array(l);for(let i=1;i<l;i++){let u=a[i];o[i]=o[u]+s[u],s[u]+=r[i]}e.type=e.graph.types[t],
e.whole=e.graph.wholes?.[t],e.graph.diff&&!e.change&&ut(e)}function it(e,t){let n=0,r=0,o=0;for(let a=1;a<e.n;a++)t(e.fn[a])&&
(e.total[a]>0&&n++,a>=o&&(r+=e.total[a],o=e.end[a]));return{frames:n,sum:r}}function ct(e,t){let n=t.length-1,r=-1;for(let o=1;o<
e.n;o++){if(e.fn[o]!==t[n]||r>=0&&e.total[o]<=e.total[r])continue;let a=n;for(let l=e.parent[o];a>0&&l>0&&e.fn[l]===t[a-
1];l=e.parent[l])a--;a===0&&(r=o)}return r}function de(e,t,n){let r=e.parent[t];if(r<0)return t;let o=t,a=!1;for(let l=r+
1;l<e.end[r];l=e.end[l])if(e.total[l]!==0){if(n>0&&a)return l;if(l===t){if(n<0)return o;a=!0}o=l}return t}function xe(e,t){
let n=t;for(let r=t+1;r<e.end[t];r=e.end[r])e.total[r]>0&&(n===t||e.total[r]>e.total[n])&&(n=r);return n}var ft=[[1099511627776," TiB",1],[1073741824," GiB",1],[1048576," MiB",1],[1024," KiB",1],[1," B",0]],sn=[[86400," days",
2],[3600," h",2],[60," min",10],[1," s",1],[.001," ms",1],[1e-6," µs",1],[1e-9," ns",0]],an=[[1e12," T",1],[1e9," G",1],
[1e6," M",1],[1e3," k",0]];function pt(e){return Number(e.toPrecision(3))}function mt(e){return e.replace(/\.?0+(e|$)/,"\
$1")}function te(e){if(e<0)return"−"+te(-e);if(e===0)return"0";if(e<5e-7)return"<0.000001";if(e>=1e15)return mt(e.toExponential(
2));if(e>=99.95)return e.toFixed(0).replace(/\B(?=(\d{3})+$)/g,",");let t=2-Math.floor(Math.log10(pt(e))+1e-9),n=e.toFixed(
Math.min(t,6));return n.includes(".")?mt(n):n}function ln(e){return Math.abs(e)<1?Number(e.toPrecision(2)):Math.round(10*
e)/10}function he(e,t){if(e<0)return"−"+he(-e,t);for(let[n,r,o]of t)if(e>0?pt(e/n)>=o:n===1)return te(e/n)+r;return te(
e)}function Le(e){return e<0?"−"+Le(-e):Math.round(e)<1e4?te(e):he(e,an)}function cn(e,t){switch(t){case"bytes":return he(
e,ft);case"bytes/s":return he(e,ft)+"/s";case"seconds":return he(e,sn);case"share":return te(ln(100*e))+" %";case"cores":
return te(e)==="1"?"1 core":te(e)+" cores";case"1/s":return Le(e)+"/s";case"count":case"":return Le(e)}return Le(e)+" "+
t}function U(e,t){return e==null||!Number.isFinite(e)?"–":cn(e,t).replaceAll(" "," ")}function ge(e){return U(e,"coun\
t")}function X(e){return U(e,"share")}function ae({tree:e},t,n){return e.fn[n]<0?"all":t.funcs[e.fn[n]][0]}function un({tree:e},t,n){let r=e.fn[n]<0?-1:t.funcs[e.
fn[n]][1];return r<0?"":t.files[r]+(e.line[n]?":"+Math.abs(e.line[n]):"")}function ne({tree:e},t){return U(t*e.type.scale,
e.type.unit)}function G({tree:e},t){let n=e.whole??e.total[0];return X(n?t/n:0)}function Be(e,t,n){let[r,o]=e.links?.[e.
funcs[t]?.[1]]??[-1,""];return r<0?"":e.folders[r]+o.replace("{}",String(Math.max(n,1)))}function Oe(e,t){let n=document.
createElement("a");return n.href=e,n.rel="noopener noreferrer",n.textContent=t,n}var qe={user:"your code",dependency:"a \
dependency",std:"the standard library",runtime:"the runtime",label:"the value of a label"};function dt(e,t,n){let r=e.tree.
fn[n],o=e.tree.line[n]<0?"inlined":"";return r<0?"":[qe[W[t.funcs[r][2]]],un(e,t,n),o].filter(Boolean).join(" · ")}function Ne(e,t,n){
let r=e.tree,o=r.change?[ae(e,t,n),dt(e,t,n),...ze(r,n)]:[ae(e,t,n),dt(e,t,n),ne(e,r.total[n])+" total, "+G(e,r.total[n])+
" · "+ne(e,r.self[n])+" self, "+G(e,r.self[n])],a=r.parent[n];a>0&&r.total[a]>0&&o.push(X(r.total[n]/r.total[a])+" of "+
ee(t,r.fn[a]));let l=(t.marks??[]).filter(s=>s.fn===r.fn[n]);return{lines:o,findings:[...new Set(l.map(s=>s.id+": "+t.findings[s.
finding]))]}}function Ke(e,t,n=0,r=0){if(e.hidden=!t,!t)return;let{lines:o,findings:a}=t;e.replaceChildren(...[...o,...a].
map((s,i)=>{let u=document.createElement("div");return u.textContent=s,i>=o.length&&(u.className="finding-line"),u}));let l=e.
getBoundingClientRect();e.style.left=Math.max(8,Math.min(n+14,innerWidth-l.width-8))+"px",e.style.top=(r+18+l.height>innerHeight?
Math.max(8,r-l.height-12):r+18)+"px"}function ht(e,t){let n=e.tree,r=[],{match:o}=e;if(o){let a=it(n,l=>o.has(l));r.push(
a.frames?["Found ",G(e,a.sum)," ("+ne(e,a.sum)+") in "+ge(a.frames)+" frames"]:["Found ","nothing",""])}if(e.selected>=0){
let a=Ne(e,t,e.selected);r.push(["",a.lines[0]," "+[...a.lines.slice(1,n.change?4:3),...a.findings].filter(Boolean).join(
" · "),Be(t,n.fn[e.selected],Math.abs(n.line[e.selected]))])}else if(!e.match){let a=e.zoom?" in "+ae(e,t,e.zoom):"";n.
change?r.push(["",ae(e,t,e.zoom),": "+ze(n,e.zoom).join(" · ")]):r.push(["",ne(e,n.total[e.zoom]),(n.whole?" ("+G(e,n.total[e.
zoom])+")":"")+" of "+n.type.name+a+", "+ge(n.n-1)+" frames"])}return r.map(([a,l,s,i])=>{let u=document.createElement("\
span"),d=document.createElement("b");return d.textContent=l,u.append(a,d,s),i&&u.append(" · ",Oe(i,"source")),u})}function gt(e,t){
let n=document.createElement("button");return n.type="button",n.setAttribute("role","tab"),n.textContent=e,n.addEventListener(
"click",t),n}function Y(e,t){let n=document.createElement("span"),r=document.createElement("span");return r.className="k\
ey "+e,n.append(r,t),n}function bt(e,t){let n=e.tree;if(n.change)return wt();let r={user:"your code",dependency:"depende\
ncies",std:"standard library",runtime:"runtime"},o=new Float64Array(W.length);for(let l=1;l<n.n;l++){let s=l;for(;Z(t,n.
fn[s])&&n.parent[s]>0;)s=n.parent[s];Z(t,n.fn[s])||(o[t.funcs[n.fn[s]][2]]+=n.self[l])}let a=W.flatMap((l,s)=>o[s]>0?[Y(
l,r[l]+" "+G(e,o[s]))]:[]);return n.fn.some(l=>Z(t,l))&&a.push(Y("label","value of a label")),n.line.some(l=>l<0)&&a.push(
Y("inlined",Fe+"inlined by the compiler")),n.fn.some(l=>e.marks.has(l))&&a.push(Y("mark","frame of a finding")),a}function yt(e,t,n){
let r=new Set(e.tree.fn),o=new Map;for(let a of t.marks??[]){if(!r.has(a.fn))continue;let l=o.get(a.finding)??{id:a.id,fns:new Set};
l.fns.add(a.fn),o.set(a.finding,l)}return[...o].sort(([a],[l])=>a-l).map(([a,{id:l,fns:s}])=>{let i=document.createElement(
"div"),u=document.createElement("a");return i.setAttribute("role","group"),i.setAttribute("aria-label",l+": "+t.findings[a]),
u.href=(t.page??"")+"#finding-"+a,u.title=t.findings[a],u.textContent=l,i.append(u,...[...s].map(d=>{let c=document.createElement(
"button");return c.type="button",c.title=t.funcs[d][0],c.textContent=He(t.funcs[d][0]),c.addEventListener("click",()=>n(
d)),c})),i})}var fn=[0,.01,.05];function ut(e){let t=n=>{let r=Float64Array.from(e.graph.self[n]);for(let[o,a]of e.graph.cut[n])r[o]+=
a;for(let o=e.n-1;o>0;o--)r[e.parent[o]]+=r[o];return r};e.sides=[t(0),t(1)],e.wholes=e.graph.wholes??[e.sides[0][0],e.sides[1][0]],
je(e)}function je(e){e.change=new Float64Array(e.n);let[t,n]=[e.sides,e.wholes],{diff:r,types:o}=e.graph,a=n[1]*o[1].scale;
for(let l=0;l<e.n;l++){let s=t[0][l]*o[0].scale-t[1][l]*o[1].scale,i=0;for(let u of[0,1])i+=r.sample[u]*t[u][l]*(1-t[u][l]/
n[u])*o[u].scale**2;Math.abs(s)>Math.max(2*Math.sqrt(Math.max(i,0)),r.noise*a)&&(e.change[l]=s/a)}}function at(e){let t=0;
for(let n of fn)Math.abs(e)>n&&t++;return Math.sign(e)*t}function mn(e){return(e>0?"+":"−")+X(Math.abs(e))}function lt(e){
return e===0?"":(e>0?"▲":"▼")+X(Math.abs(e)).replace(" ","")+" "}function ze(e,t){let{types:n}=e.graph,r=e.sides[1][t]*
n[1].scale,o=e.sides[0][t]*n[0].scale,a=n[0].unit,l=o-r,s=e.wholes[1]*n[1].scale;return[U(r,a)+" "+n[1].name+", "+U(o,a)+
" "+n[0].name,e.change[t]===0?"no change beyond sampling error and noise":(l>0?"+":"")+U(l,a)+", "+mn(l/s)+" of total "+
n[1].name]}function wt(){let e=["below 1 %","1 to 5 %","above 5 %"];return[...e.map((t,n)=>Y("more"+(n+1),"▲ more, "+t)),
...e.map((t,n)=>Y("less"+(n+1),"▼ less, "+t)),Y("none","no change beyond sampling error and noise")]}function Me(e,t){return e.sides?e.sides.some(n=>n[t]>0):e.total[t]>0}function pn(e){let t=new Set;for(let n=1;n<e.n;n++)
e.parent[n]>0&&Me(e,n)&&t.add(e.fn[e.parent[n]]);return t}function St(e){let{types:t}=e.graph,n=s=>{let{self:i,total:u}=le(
e.sides?{...e,self:e.graph.self[s],total:e.sides[s]}:e),d=e.sides?t[s].scale:e.type.scale;return{flat:i.map(c=>c*d),cum:u.
map(c=>c*d)}},r=pn(e),o=n(0),a=e.sides?n(1):null,l=[];return o.cum.forEach((s,i)=>{let u={fn:i,path:[i],calls:r.has(i),flat:o.
flat[i],cum:s};a&&Object.assign(u,{flatChange:u.flat-a.flat[i],cumChange:s-a.cum[i]}),(s>0||a&&a.cum[i]>0)&&l.push(u)}),
l}function Et(e,t){let n=[];for(let r=t+1;r<e.end[t];r=e.end[r])Me(e,r)&&n.push(r);return n}function Tt(e,t){let n=t.tree??
be(e,t.fn),{types:r}=n.graph;return Et(n,t.node??0).map(o=>{let a=i=>({flat:n.selves[i][o]*r[i].scale,cum:n.sides[i][o]*
r[i].scale}),l=n.sides?a(0):{flat:n.self[o]*n.type.scale,cum:n.total[o]*n.type.scale};if(n.sides){let i=a(1);Object.assign(
l,{flatChange:l.flat-i.flat,cumChange:l.cum-i.cum})}let s=n.fn[o];return{...l,fn:s,path:[...t.path,s],tree:n,node:o,calls:Et(
n,o).length>0}})}function Ue(e,t){let n=t==="flat"?"cum":"flat",r=(o,a)=>Math.abs(o[`${a}Change`]??o[a]);return e.sort((o,a)=>r(
a,t)-r(o,t)||r(a,n)-r(o,n)||o.fn-a.fn)}function dn(e,t){return e===0?"0":(e>0?"+":"")+U(e,t)}function xt(e){let{unit:t}=e.
sides?e.graph.types[0]:e.type,n=(e.whole??e.total[0])*e.type.scale;return["flat","cum"].flatMap(r=>[[r,r==="flat"?"Flat":
"Cum",o=>U(o[r],t)],e.sides?["","change",o=>dn(o[`${r}Change`],t)]:["","share",o=>X(n?o[r]/n:0)]])}function Ae(e,t){let n=[];for(let r=1;r<e.n;){if(e.fn[r]!==t){r++;continue}Me(e,r)&&n.push(r),r=e.end[r]}return n}function Lt(e,t){
let n=e.sides??[],r={parent:[-1],fn:[t],self:[0],total:[0],line:[0],most:[0],sides:n.map(()=>[0]),selves:n.map(()=>[0])},
o=new Map,a=e.funcs;function l(i,u){let d=i*a+u,c=o.get(d);if(c===void 0){c=r.fn.length,o.set(d,c),r.parent.push(i),r.fn.
push(u),r.self.push(0),r.total.push(0),r.line.push(0),r.most.push(0);for(let m of[...r.sides,...r.selves])m.push(0)}return c}
function s(i,u,d=u){r.total[i]+=e.total[u],e.total[d]>r.most[i]&&(r.most[i]=e.total[d],r.line[i]=e.line[d]),r.sides.forEach(
(c,m)=>{c[i]+=n[m][u]})}return{nodes:r,step:l,add:s}}function be(e,t){let{nodes:n,step:r,add:o}=Lt(e,t),a=[0];for(let l of Ae(
e,t))for(let s=l;s<e.end[l];s++){let i=e.depth[s]-e.depth[l];i>0&&(a[i]=r(a[i-1],e.fn[s])),o(a[i],s),n.self[a[i]]+=e.self[s],
n.selves.forEach((u,d)=>{u[a[i]]+=e.graph.self[d][s]})}return At(e,n)}function Mt(e,t){let{nodes:n,step:r,add:o}=Lt(e,t);
for(let a of Ae(e,t)){let l=0;o(0,a);for(let s=e.parent[a];s>0;s=e.parent[s])l=r(l,e.fn[s]),o(l,a,s)}return At(e,n)}function At(e,t){
let n=t.fn.length,r=Array.from({length:n},()=>[]);for(let s=1;s<n;s++)r[t.parent[s]].push(s);let o={n,graph:e.graph,type:e.
type,whole:e.whole??e.total[0],funcs:e.funcs,fn:new Int32Array(n),line:new Int32Array(n),depth:new Int32Array(n),parent:new Int32Array(
n),end:new Int32Array(n),self:new Float64Array(n),total:new Float64Array(n),x:new Float64Array(n)};e.sides&&(o.sides=e.sides.
map(()=>new Float64Array(n)),o.selves=e.sides.map(()=>new Float64Array(n)),o.wholes=e.wholes);let a=[[0,-1,0,0]],l=0;for(;a.
length;){let[s,i,u,d]=a.pop(),c=l++;o.fn[c]=t.fn[s],o.parent[c]=i,o.depth[c]=u,o.x[c]=d,o.self[c]=t.self[s],o.total[c]=t.
total[s],o.line[c]=t.line[s],o.sides?.forEach((E,L)=>{E[c]=t.sides[L][s]}),o.selves?.forEach((E,L)=>{E[c]=t.selves[L][s]});
let m=r[s].sort((E,L)=>t.total[L]-t.total[E]||t.fn[E]-t.fn[L]),y=d;for(let E of m)y+=t.total[E];for(let E of m.reverse())
y-=t.total[E],a.push([E,c,u+1,y])}return Ie(o),o.sides&&je(o),o}function le(e){let t=new Float64Array(e.funcs),n=new Float64Array(
e.funcs),r=new Int32Array(e.funcs),o=[];for(let a=1;a<e.n;a++){for(;o.length>=e.depth[a];)r[o.pop()]--;let l=e.fn[a];t[l]+=
e.self[a],r[l]===0&&(n[l]+=e.total[a]),r[l]++,o.push(l)}return{self:t,total:n}}function We(e,t=e.keys()){let n=-1;for(let r of t)
e[r]>(n<0?0:e[n])&&(n=r);return n}function ke(e,t){let n=t.toLowerCase().split("|").map(l=>l.trim()).filter(Boolean);if(!n.length)return null;let r=l=>n.some(
s=>l.includes(s)),o=(e.files??[]).map(l=>r(l.toLowerCase())),a=new Set;return e.funcs.forEach(([l,s],i)=>{(r(l.toLowerCase())||
o[s])&&a.add(i)}),a}function hn(e,t){let n=new Uint8Array(e.n);for(let r=1;r<e.n;r++)n[r]=n[e.parent[r]]||t.has(e.fn[r])?
1:0;return n}function kt(e,{focus:t,ignore:n,from:r}){let[o,a,l]=[t,n,r].map(d=>d&&hn(e,d)),s=d=>(!o||o[d])&&!(a&&a[d])&&
(!l||l[d]),i=(d,c)=>d.reduce((m,y)=>m+y,0)+e.graph.cut[c].reduce((m,[,y])=>m+y,0),u={...e.graph,wholes:e.graph.self.map(
i),lines:{fn:[],line:[],self:[],total:[]},self:e.graph.self.map(d=>d.map((c,m)=>s(m)?c:0)),cut:e.graph.cut.map(d=>d.filter(
([c])=>s(c)))};return Te(l?gn(e,u,l):u,e.funcs)}function gn(e,t,n){let r=[{depth:0,children:new Map}],o=new Int32Array(e.
n);for(let s=1;s<e.n;s++){if(!n[s])continue;let i=r[o[e.parent[s]]];i.children.has(e.fn[s])||(i.children.set(e.fn[s],r.length),
r.push({fn:e.fn[s],line:e.line[s],depth:i.depth+1,children:new Map})),o[s]=i.children.get(e.fn[s])}let a=s=>{let i=new Array(
r.length).fill(0);return s.forEach((u,d)=>{i[o[d]]+=u}),i},l=t.cut.map(s=>s.map(([i,u])=>[o[i],u]));return bn({...t,self:t.
self.map(a),cut:l},r)}function bn(e,t){let n=[...e.self[e.default]];for(let[s,i]of e.cut[e.default])n[s]+=i;for(let s=t.
length-1;s>=0;s--)for(let i of t[s].children.values())n[s]+=n[i];let r=[],o=[0];for(;o.length;){let s=o.pop();r.push(s);
for(let i of[...t[s].children.values()].sort((u,d)=>n[u]-n[d]))o.push(i)}let a=new Int32Array(t.length);r.forEach((s,i)=>{
a[s]=i});let l=r.slice(1);return{...e,fn:l.map(s=>t[s].fn),line:l.map(s=>t[s].line),up:l.map((s,i)=>t[r[i]].depth+1-t[s].
depth),self:e.self.map(s=>r.map(i=>s[i])),cut:e.cut.map(s=>s.map(([i,u])=>[a[i],u]))}}function Ge(e,t){if(e.hashes)return e.
hashes;let n=Ve(t);e.hashes=new Uint32Array(e.n);for(let r=1;r<e.n;r++)e.hashes[r]=_e(e.hashes[e.parent[r]],n[e.fn[r]],e.
depth[r]);return e.hashes}function Ve(e){return e.hashes??=e.funcs.map(([t])=>{let n=2166136261;for(let r=0;r<t.length;r++)
n=Math.imul(n^t.charCodeAt(r),16777619);return n}),e.hashes}function _e(e,t,n){return Math.imul(e^e>>>15^t,739982445)+n}
function $e(e,t,n){return n?Math.max(Ge(e,t).indexOf(n),0):0}function yn(e,t,n){let r=e.graph.lines,o=[];if(r.fn?.forEach((s,i)=>{s===n&&o.push({line:r.line[i],self:r.self[t][i],total:r.
total[t][i]})}),o.length)return{rows:o,exact:!0};let a=new Map,l=s=>(a.has(s)||a.set(s,{line:s,self:0,total:0}),a.get(s));
for(let s of Ae(e,n))l(e.line[s]).total+=e.total[s];for(let s=1;s<e.n;s++)e.fn[s]===n&&(l(e.line[s]).self+=e.self[s]);return{
rows:[...a.values()].sort((s,i)=>s.line-i.line),exact:!1}}function B(e,t,n){let r=document.createElement(e);return r.append(
t),n&&(r.className=n),r}function wn(e){let t="http://www.w3.org/2000/svg",n=document.createElementNS(t,"svg");n.setAttribute(
"class","share"),n.setAttribute("viewBox","0 0 100 6"),n.setAttribute("preserveAspectRatio","none"),n.setAttribute("aria\
-hidden","true");for(let[r,o]of[["track",100],["fill",Math.min(100*e,100)]]){let a=document.createElementNS(t,"rect");a.
setAttribute("class",r),a.setAttribute("width",String(o)),a.setAttribute("height","6"),n.append(a)}return n}function vt(e,t,n,r){
let o=e.tree,{rows:a,exact:l}=yn(o,n,r),s=document.createElement("table"),i=document.createElement("tr");for(let[m,y]of[
["Line","num"],["Self","num"],["Share","num"],["With callees","num"],["Share","num"],["",""]]){let E=B(m?"th":"td",m,y);
m&&(E.scope="col"),i.append(E)}let u=document.createElement("tbody"),d=o.whole??o.total[0];for(let m of a){let y=document.
createElement("tr"),E=Be(t,r,m.line),L=B("th",E?Oe(E,String(m.line)):m.line?String(m.line):"–","num");L.scope="row",y.
append(L,B("td",ne(e,m.self),"num"),B("td",G(e,m.self),"num"),B("td",ne(e,m.total),"num"),B("td",G(e,m.total),"num"),B("\
td",wn(d?m.total/d:0),"barcell")),u.append(y)}if(s.append(B("thead",i),u),l)return[s];let c=B("p","The page has every li\
ne only for the heaviest functions. In this function, each frame counts at its heaviest line.","note");return[s,c]}var K=(()=>{let e={width:0,height:0,top:0,match:null,marks:new Map},t=[],n=[],r=[],o,a,l,s,i,u,d,c=0,m=0,y="graph",E=!1,
L=!0,x=-1,T=[],R=0,z=null,H=()=>{};function k(f){return a.querySelector(f)}function V(f,p={}){return{tree:f,zoom:0,base:0,
dir:1,from:0,hover:-1,selected:-1,...p}}function $(){return[V(t[c],{dir:E?-1:1})]}function N(f=R){return{...e,...T[f]}}function I(){
performance.clearMeasures("flame");let f=performance.now();if(e.width=l.clientWidth,!e.width)return;let p=ot(T,e.width)*
D,b=parseFloat(getComputedStyle(l).maxHeight)||p;e.height=Math.min(p,b),k(".spacer").style.height=p-e.height+"px",L&&(l.
scrollTop=E&&y==="graph"?p:0),L=!1,e.top=Math.min(l.scrollTop,p-e.height);let w=devicePixelRatio||1,[A,Q]=[Math.round(e.
width*w),Math.round(e.height*w)];(s.width!==A||s.height!==Q)&&(s.width=A,s.height=Q,s.style.width=e.width+"px",s.style.height=
e.height+"px"),i.setTransform(w,0,0,w,0,0),i.clearRect(0,0,e.width,e.height),T.forEach((Cn,Zt)=>st(i,N(Zt),o)),performance.
measure("flame",{start:f,end:performance.now()})}function j(){d.replaceChildren(...ht(N(),o)),y==="lines"&&x>=0&&k(".lin\
es").replaceChildren(...vt(se(),o,m,x))}function re(f){T[0].zoom=f,L||=E,I(),j(),H(!0)}function O(f,p){for(let A of T)A.
selected=-1;R=f;let b=T[f];b.selected=p;let w=b.base+b.dir*b.tree.depth[p]*D;(w<l.scrollTop||w+D>l.scrollTop+e.height)&&
(l.scrollTop=w-e.height/2),I(),j(),H(!1)}function fe(f){e.match=ke(o,f),y!=="graph"&&J(),I(),j(),H(!1)}function oe(){for(let f of T)
f.selected=-1;T[0].zoom=0,R=0,k("input").value="",L=!0,H(!0),fe("")}function me(f){m=f;let p=t[c];if(Pe(p,f),y==="graph"){
let b=T[0];for(;b.zoom>0&&p.total[b.zoom]===0;)b.zoom=p.parent[b.zoom]}else C(x);k(".types select").value=String(f),k(".\
legend").replaceChildren(...bt({...e,tree:p},o)),I(),j(),H(!0)}function h(f){c=f;let p=o.graphs[f];n[f]??=Te(p,o.funcs.length),
t[f]??=z?kt(n[f],z):n[f],r.length=0,T=$(),R=0,L=!0,a.querySelectorAll(".tabs button").forEach((w,A)=>{w.setAttribute("ar\
ia-selected",String(A===f)),w.tabIndex=A===f?0:-1}),k(".types select").replaceChildren(...p.types.map((w,A)=>new Option(
w.name,String(A),!1,A===p.default))),k(".types").hidden=p.types.length<2,k(".marks").replaceChildren(...yt(N(),o,Se)),Pe(
t[f],p.default),y!=="graph"&&(x=g()),me(p.default)}function g(){let{self:f,total:p}=le(t[c]);return x>=0&&p[x]>0?x:Math.
max(We(f),0)}function S(f){let p=T[R];p.selected>=0&&p.tree.fn[p.selected]>=0&&(x=p.tree.fn[p.selected]),y=f,r.length=0;
for(let b of a.querySelectorAll(".modes button"))b.setAttribute("aria-pressed",String(b.dataset.mode===y));a.dataset.mode=
y,k(".function").hidden=y==="graph",k(".lines").hidden=y!=="lines",l.hidden=y==="lines",k(".legend").hidden=y==="lines",
k("[data-up]").disabled=y!=="graph",L=!0,y==="graph"?(T=$(),R=0):C(g()),I(),j(),H(!0)}function M(){if(y!=="graph")return;
v(!E);let f=T[0];L=!0,I(),H(!0),f.selected>=0&&O(0,f.selected),j()}function v(f){E=f,k("[data-up]").setAttribute("aria-p\
ressed",String(E)),y==="graph"&&(T[0].dir=E?-1:1)}function C(f){x=f;let p=t[c];R=0,T=y==="sandwich"?[V(be(p,f),{selected:0}),
V(Mt(p,f),{dir:-1,from:1})]:[V(be(p,f),{selected:0})],J(),y==="sandwich"&&(e.width=l.clientWidth,I(),l.scrollTop=Math.max(
0,T[0].base-e.height/2))}function F(f){f<0||f===x||(r.push(x),C(f),I(),j(),H(!0))}function J(){let{self:f,total:p}=le(t[c]),
b=[...p.keys()].filter(A=>p[A]>0&&(!e.match||e.match.has(A))).sort((A,Q)=>p[Q]-p[A]||f[Q]-f[A]).slice(0,300);b.includes(
x)||b.unshift(x);let w=A=>G(se(),p[A])+"  "+ee(o,A);k(".function select").replaceChildren(...b.map(A=>new Option(w(A),String(
A),!1,A===x)))}function se(){return{...e,tree:t[c]}}function Se(...f){if(y!=="graph"){F(f.at(-1));return}let p=t[c],b=ct(
p,f);if(b<0)return;let w=b;for(;w>0&&p.total[b]/p.total[w]>.12;)w=p.parent[w];T[0].zoom=w,L||=E,I(),H(!0),O(0,b)}function Kt(){
let{tree:f,zoom:p,selected:b}=T[0],w=b<0?p:b,A=()=>O(0,b<0?p:xe(f,w)),Q=()=>{f.parent[w]<0||(w===p&&re(f.parent[w]),O(0,
f.parent[w]))};return{ArrowDown:E?Q:A,ArrowUp:E?A:Q,u:M,ArrowLeft:()=>{w!==p&&O(0,de(f,w,-1))},ArrowRight:()=>{w!==p&&O(
0,de(f,w,1))},Enter:()=>re(w),Escape:()=>{p>0?re(f.parent[p]):oe()},Home:oe}}function zt(){let{tree:f,selected:p}=T[R],b=Math.
max(p,0),w=()=>O(R,xe(f,b)),A=()=>O(f.parent[b]>0?R:0,Math.max(f.parent[b],0));return{ArrowDown:R===0?w:A,ArrowUp:()=>{R===
1?w():b>0?A():T[1].tree.n>1&&O(1,xe(T[1].tree,0))},ArrowLeft:()=>O(R,de(f,b,-1)),ArrowRight:()=>O(R,de(f,b,1)),Enter:()=>F(
f.fn[b]),Escape:()=>jt(),Home:()=>O(0,0)}}function jt(){r.length?(C(r.pop()),I(),j(),H(!0)):S("graph")}function et(f){let p=y===
"graph"?Kt():zt();!p[f.key]||f.ctrlKey||f.metaKey||f.altKey||(f.preventDefault(),p[f.key]())}function Ut(){s.addEventListener(
"pointermove",f=>{let[p,b]=De(T,e,f.offsetX,f.offsetY);T.some((w,A)=>w.hover!==(A===p?b:-1))&&(T.forEach((w,A)=>{w.hover=
A===p?b:-1}),I()),f.pointerType==="mouse"&&Ke(u,b<0?null:Ne(N(p),o,b),f.clientX,f.clientY)}),s.addEventListener("pointer\
leave",()=>{for(let f of T)f.hover=-1;Ke(u,null),I()}),s.addEventListener("click",f=>{let[p,b]=De(T,e,f.offsetX,f.offsetY);
if(!(b<0)){if(y==="sandwich"){F(T[p].tree.fn[b]);return}T[0].selected=b,re(b)}})}function Wt(){let f=k(".tabs");f.replaceChildren(
...o.graphs.map((p,b)=>gt(p.title,()=>h(b)))),f.addEventListener("keydown",p=>{let b={ArrowRight:1,ArrowLeft:-1}[p.key];
b&&(h((c+b+o.graphs.length)%o.graphs.length),f.children[c].focus())})}function Gt(f,p){if(a=document.getElementById("fla\
me"),!(!a||!f.graphs?.length)){o=f,l=k(".stage"),s=l.querySelector("canvas"),i=s.getContext("2d"),u=k(".tip"),d=k(".stat\
us");for(let b of o.marks??[]){let w=e.marks.get(b.fn)??[];e.marks.set(b.fn,w.includes(b.id)?w:[...w,b.id])}Wt(),Ut(),l.
addEventListener("keydown",et),l.addEventListener("scroll",I);for(let b of a.querySelectorAll(".modes button"))b.addEventListener(
"click",()=>S(b.dataset.mode));k(".types select").addEventListener("change",b=>me(Number(b.target.value))),k(".function \
select").addEventListener("change",b=>F(Number(b.target.value))),k("input").addEventListener("input",b=>fe(b.target.value)),
k("input").addEventListener("keydown",Vt),k(".reset").addEventListener("click",oe),k("[data-up]").addEventListener("clic\
k",M),h(o.marks?.[0]?.graph??0),p&&(H=p),new ResizeObserver(I).observe(a),P.onChange(I)}}function Vt(f){if(f.key!=="Ente\
r"||!e.match?.size)return;let{total:p}=le(t[c]),b=We(p,e.match);b>=0&&Se(b)}function _t(f){let p=o.marks[f];y!=="graph"&&
S("graph"),c!==p.graph&&h(p.graph),Se(p.fn),a.scrollIntoView({block:"start"}),l.focus({preventScroll:!0})}function $t(f){
c!==f&&h(f),l.focus({preventScroll:!0})}function Qt(){let{zoom:f,selected:p}=T[0],b=w=>y==="graph"&&w>0?Ge(t[c],o)[w]:0;
return{graph:c,type:o.graphs[c].types[m].name,view:y,zoom:b(f),at:b(p),up:E?"1":"",fn:y==="graph"?"":o.funcs[x]?.[0]??"",
find:k("input").value}}function Xt(f){let p=H;H=()=>{},z=f.filter,t.length=0,v(f.up==="1"),h(Math.min(f.graph,o.graphs.length-
1)),y!=="graph"&&S("graph");let b=o.graphs[c].types.findIndex(w=>w.name===f.type);if(b>=0&&b!==m&&me(b),k("input").value=
f.find,fe(f.find),f.view==="sandwich"||f.view==="lines")x=o.funcs.findIndex(([w])=>w===f.fn),S(f.view);else{T[0].zoom=$e(
t[c],o,f.zoom),I();let w=$e(t[c],o,f.at);w>0?O(0,w):j()}H=p}function Yt(){return{tree:t[c],column:m,match:e.match}}function Jt(){
let f=T[R];return f.selected>0||y!=="graph"&&f.selected===0?ae(N(),o,f.selected):""}return{start:Gt,showMark:_t,showGraph:$t,
reset:oe,turn:M,state:Qt,restore:Xt,shownFunctions:Yt,selectedName:Jt,jump:Se,keys:et}})();var Ct=(()=>{let e=[],t="",n=!1,r=!1,o=()=>{};function a(){let u=new URLSearchParams;for(let d of e)d.write(u);return u.
size?"#~"+u.toString().replaceAll("%2C",","):""}function l(u){r||=u,!n&&(n=!0,queueMicrotask(()=>{let d=a();if(d!==t){let c=new URL(
location.href);c.hash=d,r?history.pushState({view:d},"",c):history.replaceState({view:d},"",c),t=d}n=r=!1}))}function s(){
let u=location.hash&&!location.hash.startsWith("#~")?location.hash.slice(1):"",d=history.state?.view;if(u&&typeof d!="st\
ring"){o(u),t=a(),history.replaceState({view:t},"");return}let c=u?String(d):location.hash;if(c===t)return;let m=new URLSearchParams(
c.slice(2));for(let y of e)y.read(m);t=a()}function i(u,d){return e=u,d&&(o=d),addEventListener("popstate",s),addEventListener(
"hashchange",s),s(),new URLSearchParams(t.slice(2))}return{start:i,changed:l}})();var En=50,ve=(()=>{let e=new Map,t=new Map,n=!1;function r(s){if(s.id)return s.id;let i=s.closest("[id]")??document.body,
u=[...i.querySelectorAll("details:not([id])")].filter(d=>(d.closest("[id]")??document.body)===i);return i.id+"."+u.indexOf(
s)}function o(s=Ct.changed){for(let u of document.querySelectorAll("details"))e.set(u,u.open),t.set(r(u),u);document.addEventListener(
"toggle",()=>{n||s(!0)},!0);let i=[];addEventListener("beforeprint",()=>{n=!0,i=[...document.querySelectorAll("details.f\
inding:not([open])")];for(let u of i)u.open=!0}),addEventListener("afterprint",()=>{for(let u of i)u.open=!1;n=!1})}let a={
write:s=>{let i=[...t].filter(([,u])=>u.open!==e.get(u));for(let[u,d]of[["unfold",!0],["fold",!1]]){let c=i.filter(([,m])=>m.
open===d).map(([m])=>m).slice(0,En);c.length&&s.set(u,c.join(","))}},read:s=>{let i=c=>new Set((s.get(c)??"").split(",")),
u=i("unfold"),d=i("fold");for(let[c,m]of t)m.open=u.has(c)||e.get(m)&&!d.has(c)}};function l(s){let i=document.getElementById(
s),u=i?.closest("details");!u||u.open||(u.open=!0,i.scrollIntoView())}return{start:o,part:a,follow:l}})();var Sn=50;function Rt(e,t,n,{shown:r,show:o,changed:a}){let l=new Set,s=new WeakMap,i="flat",u=30,d=[],c,m;function y(){
let h=r(),g=[h.tree,h.column,h.match,i,u];if(g.every((C,F)=>C===d[F]))return;d=g,c=h.tree,m=xt(c);let S=s.get($(document.
activeElement))?.key,M=Ue(St(c).filter(C=>!h.match||h.match.has(C.fn)),i);e.replaceChildren(...M.length?E(M):[B("p","No \
function matches.","empty")]);let v=V();v.length&&(v[0].tabIndex=0),S!==void 0&&N(v.find(C=>s.get(C).key===S)??v[0])}function E(h){
let g=_("table","treegrid","cards functions");g.setAttribute("aria-label","Functions"),g.setAttribute("aria-describedby",
"functions-how");let S=_("thead","rowgroup");S.append(L());let M=_("tbody","rowgroup");if(M.append(...h.slice(0,u).flatMap(
(C,F)=>x(C,F,h.length))),g.append(S,M),h.length<=u)return[g];let v=B("button","Show more: "+ge(h.length-u)+" functions a\
re left","quiet more");return v.type="button",v.addEventListener("click",()=>{let C=u;u+=200,a(!1),N(V().filter(F=>F.ariaLevel===
"1")[C])}),[g,v]}function L(){let h=_("tr","row"),g=_("th","columnheader");return g.scope="col",g.append("Function"),h.append(
g,...m.map(([S,M])=>{let v=_("th","columnheader","num");if(v.scope="col",!S)return v.append(M),v;let C=B("button",M+(S===
i?" ▾":""),"link");return C.type="button",C.dataset.sort=S,C.addEventListener("click",()=>{i=S,a(!0),e.querySelector("\
[data-sort="+S+"]")?.focus()}),S===i&&v.setAttribute("aria-sort","descending"),v.append(C),v})),h}function x(h,g,S){h.key=
Tn(n,h.path);let M=_("tr","row");return s.set(M,h),M.tabIndex=-1,M.setAttribute("aria-level",String(h.path.length)),M.setAttribute(
"aria-posinset",String(g+1)),M.setAttribute("aria-setsize",String(S)),h.calls&&M.setAttribute("aria-expanded",String(l.has(
h.key))),M.append(R(M,h),...m.map(([v,C,F],J)=>{let se=_("td","gridcell","num");return se.append(F(h)),se.dataset.label=
v?C.toLowerCase():m[J-1][1].toLowerCase()+" "+C,se})),h.calls&&l.has(h.key)?[M,...T(h)]:[M]}function T(h){let g=Ue(Tt(c,
h),i);return g.flatMap((S,M)=>x(S,M,g.length))}function R(h,g){let S=_("th","rowheader");S.scope="row";let M=B("span",g.
calls?l.has(g.key)?"▾":"▸":"","twist");M.setAttribute("aria-hidden","true"),M.addEventListener("click",()=>{g.calls&&
I(h)});let v=B("button",n.funcs[g.fn][0],"link symbol");v.type="button",v.tabIndex=-1,v.addEventListener("click",()=>o(g.
path));let C=B("div",v);C.append(B("span",[...z(g.fn),...H(g.fn)].join(" · "),"sub"));let F=B("div",M,"tree");return F.
style.setProperty("--above",String(g.path.length-1)),F.append(C),S.append(F),S}function z(h){let[,g,S]=n.funcs[h];return S===
Re?[W[S],n.files[g]]:[W[S],...g<0?[]:[n.files[g].split("/").slice(-2).join("/")]]}function H(h){return[...new Set((n.marks??
[]).filter(g=>g.fn===h).map(g=>g.id))]}function k(h,g){let S=m.map(([,,F])=>F(g)),M=g.path.slice(0,-1).map(F=>ee(n,F)).reverse(),
v=H(g.fn),C=g.calls?h.ariaExpanded==="true"?"What it calls is open":"Right shows what it calls":"It calls nothing that w\
as counted";return[n.funcs[g.fn][0]+(M.length?", called by "+M.join(", by "):""),[["itself",0],["with what it calls",2]].
map(([F,J])=>S[J]+" "+F+", "+S[J+1]+(c.sides?" against the base":" of all")).join("; "),(Z(n,g.fn)?"It is ":"In ")+[qe[W[n.
funcs[g.fn][2]]],...z(g.fn).slice(1)].join(", "),...v.length?["A place of "+v.join(", ")]:[],C].join(". ")+"."}function V(){
return[...e.querySelectorAll("tbody tr")]}function $(h){return h&&e.contains(h)?h.closest("tbody tr"):null}function N(h){
h?.focus()}function I(h){let g=s.get(h),S=!l.delete(g.key);if(S)l.add(g.key),h.after(...T(g));else for(;Number(h.nextElementSibling?.
ariaLevel)>g.path.length;)h.nextElementSibling.remove();h.setAttribute("aria-expanded",String(S)),h.querySelector(".twis\
t").textContent=S?"▾":"▸",$(document.activeElement)===h?t.textContent=k(h,g):e.querySelector('tbody tr[tabindex="0"]')||
(h.tabIndex=0),a(!1)}function j(h){let g=h.previousElementSibling;for(;g&&Number(g.ariaLevel)>=Number(h.ariaLevel);)g=g.
previousElementSibling;return g}function re(h){let g=$(h.target);if(!g||h.ctrlKey||h.metaKey||h.altKey)return;let S=g.ariaExpanded,
M={ArrowDown:()=>N(g.nextElementSibling),ArrowUp:()=>N(g.previousElementSibling),ArrowRight:()=>{S==="true"?N(g.nextElementSibling):
S&&I(g)},ArrowLeft:()=>{S==="true"?I(g):N(j(g))},Home:()=>N(V()[0]),End:()=>N(V().at(-1)),Enter:()=>o(s.get(g).path)}[h.
key];M&&(h.preventDefault(),h.stopPropagation(),M())}function O(h){let g=$(h.target);if(!g)return;for(let M of e.querySelectorAll(
'tbody tr[tabindex="0"]'))M.tabIndex=-1;g.tabIndex=0;let S=k(g,s.get(g));t.textContent!==S&&(t.textContent=S)}e.addEventListener(
"keydown",re),e.addEventListener("focusin",O);function fe(){return{sort:i,open:[...l].slice(-Sn).map(h=>h.toString(16)).
join(".")}}function oe({sort:h,open:g}){i=h==="cum"?"cum":"flat",l.clear();for(let S of g.split("."))S&&l.add(Number.parseInt(
S,16));d=[]}function me(){let h=s.get($(document.activeElement));return h?n.funcs[h.fn][0]:""}return{refresh:y,state:fe,
restore:oe,focusedName:me}}function _(e,t,n){let r=document.createElement(e);return r.setAttribute("role",t),n&&(r.className=
n),r}function Tn(e,t){let n=Ve(e);return t.reduce((r,o,a)=>_e(r,n[o],a+1),0)>>>0}function Ft(e){let t=document.querySelector(
".stage");K.jump(...e),t.scrollIntoView({block:"center"}),t.focus({preventScroll:!0})}function ye(e){return/^[\w./:=@%,+-]+$/.test(e)?e:"'"+e.replaceAll("'","'\\''")+"'"}function Ht(e){return"(?i)"+e.split(
"|").map(n=>n.trim()).filter(Boolean).map(n=>n.replace(/[\\.+*?()|[\]{}^$]/g,"\\$&")).join("|")}function Dt({type:e,filters:t,
tagroot:n,tagleaf:r,file:o,base:a}){let l=["go","tool","pprof","-http=:"];e&&l.push(ye("-sample_index="+e));for(let[s,i]of[
["focus",t.focus],["ignore",t.ignore],["show_from",t.from]])i.trim()&&l.push(ye("-"+s+"="+Ht(i)));for(let[s,i]of[["tagro\
ot",n],["tagleaf",r]])i&&!i.includes(",")&&l.push(ye("-"+s+"="+i));return a&&l.push(ye("-diff_base="+a)),l.push(ye(o)),l.
join(" ")}function It({type:e,filters:t}){let n=new URLSearchParams;for(let[r,o]of[["f",t.focus],["i",t.ignore],["sf",t.
from]])o.trim()&&n.set(r,Ht(o));return e&&n.set("si",e),n.size?"?"+n:""}var Qe="casebook-keys-off",Pt=(()=>{let e=()=>document.querySelector(".bar.site"),t=c=>document.getElementById(c),n=0,r=!1;
function o(c){r=c;try{r?localStorage.setItem(Qe,"1"):localStorage.removeItem(Qe)}catch{}}function a(){let c=["the page: "+
document.title],m=y=>[...y].map(([E,L])=>E+" "+L).join(", ");return location.search&&c.push("what was asked for: "+m(new URLSearchParams(
location.search))),location.hash.startsWith("#~")?c.push("what you chose on it: "+m(new URLSearchParams(location.hash.slice(
2)))):location.hash&&c.push("the part: "+location.hash.slice(1)),c}function l(){document.getElementById("share-address").
textContent=location.href,document.getElementById("share-holds").replaceChildren(...a().map(y=>{let E=document.createElement(
"li");return E.textContent=y.length>300?y.slice(0,300)+"…":y,E}));let c=/^\/cases\/([^/]+)/.exec(location.pathname)?.[1],
m=(y,E)=>{document.getElementById("share-"+y).hidden=!E};m("local",["localhost","127.0.0.1","[::1]"].includes(location.hostname)),
m("kept",!!c),m("now",!c),m("file",!!c),c&&document.querySelector("#share-file a").setAttribute("href","/api/v1/cases/"+
c+"/zip"),t("share").showModal()}function s(c){document.querySelector("dialog[open]")||(c==="share"?l():t(c).showModal())}
function i(c){let m=[...document.querySelectorAll("main [data-go-row], main tbody tr")].map(L=>L.matches("a")?L:L.querySelector(
"a")).filter(L=>!!L&&L.checkVisibility());if(!m.length)return!1;let y=document.activeElement,E=m.findIndex(L=>L===y||!!L.
closest("tr")?.contains(y));return m[E<0?c>0?0:m.length-1:Math.min(Math.max(E+c,0),m.length-1)].focus(),!0}function u(c){
let m=c.key,y=Date.now()-n<1500;if(n=0,y){let E=e().querySelector('[data-go="'+CSS.escape(m)+'"]');return E&&E.click(),!!E}
switch(m){case"g":return n=Date.now(),!0;case"s":return s("share"),!0;case"?":return s(document.querySelector("#keys")?"\
keys":"sitekeys"),!0;case"j":return i(1);case"k":return i(-1);case"/":{let E=document.querySelector("main input[type=sea\
rch], header input[type=search]");return E?.focus(),!!E}}return!1}function d(){if(!e())return;try{r=localStorage.getItem(
Qe)==="1"}catch{}for(let m of document.querySelectorAll("[data-open]"))m.addEventListener("click",()=>s(m.dataset.open));
for(let m of document.querySelectorAll("[data-close]"))m.addEventListener("click",()=>m.closest("dialog").close());let c=document.
getElementById("single");c.checked=!r,c.addEventListener("change",()=>o(!c.checked)),document.addEventListener("keydown",
m=>{r||m.defaultPrevented||m.ctrlKey||m.metaKey||m.altKey||document.querySelector("dialog[open]")||m.target.matches("inp\
ut, select, textarea, [role=application]")&&m.key!=="?"||m.target.matches("input, textarea")||u(m)&&m.preventDefault()})}
return{start:d}})();document.documentElement.classList.add("js");P.start();Pt.start();var q=JSON.parse(document.getElementById("data").textContent),
we=["focus","ignore","from"],Ee=e=>document.querySelector("[data-filter="+e+"]"),Xe=document.querySelector(".stage"),ie=document.
getElementById("keys"),Ye="",ce,ue=(q.flame.graphs?.length??1)-1;function Ot(){return Object.fromEntries(we.map(e=>[e,Ee(
e).value]))}function qt(){let e=we.map(t=>[t,ke(q.flame,Ee(t).value)]);return e.some(([,t])=>t)?Object.fromEntries(e):null}
function Je(){let e=K.state(),{types:t,default:n}=q.flame.graphs[e.graph],r=new URLSearchParams;for(let[o,a,l]of[["file",
q.file,""],["base",q.base,""],["tagroot",q.tagroot,""],["tagleaf",q.tagleaf,""],["diff",e.graph===ue?"":"off",""],["type",
e.type,t[n].name],["view",e.view,"graph"],["up",e.up,""],["fn",e.fn,""],["zoom",e.zoom.toString(16),"0"],["at",e.at.toString(
16),"0"],["q",e.find,""],...Object.entries(Ot()).map(([s,i])=>[s,i.trim(),""]),["sort",ce.state().sort,"flat"],["open",ce.
state().open,""]])a!==l&&r.set(o,a);return ve.part.write(r),location.pathname+"?"+r.toString().replaceAll("%2F","/").replaceAll(
"%2C",",")}function Bt(){let e=new URLSearchParams(location.search);for(let n of we)Ee(n).value=e.get(n)??"";ve.part.read(
e),ce.restore({sort:e.get("sort"),open:e.get("open")??""});let t=n=>Number.parseInt(e.get(n)??"0",16)||0;K.restore({graph:e.
get("diff")==="off"?0:ue,type:e.get("type")??"",view:e.get("view")??"graph",fn:e.get("fn")??"",up:e.get("up")??"",zoom:t(
"zoom"),at:t("at"),find:e.get("q")??"",filter:qt()}),Ye=Je(),Nt()}function Ce(e){let t=Je();if(t!==Ye){let n=history.state?.
depth??0;e?history.pushState({depth:n+1},"",t):history.replaceState({depth:n},"",t),Ye=t}Nt()}function Nt(){ce.refresh();
let e=K.state(),{types:t,default:n}=q.flame.graphs[0],r=e.graph===0?e.type:t[n].name,o={type:t.length>1?r:"",filters:Ot(),
tagroot:q.tagroot,tagleaf:q.tagleaf,file:location.origin+q.download,base:ue>0&&e.graph===ue?location.origin+q.base_download:
""};document.getElementById("pprof").textContent=Dt(o),xn(),document.getElementById("pprof-pages").search=It(o)}function xn(){
for(let e of document.querySelectorAll(".tags a")){let t=new URLSearchParams(e.search),n=new URLSearchParams(new URL(Je(),
location.href).search);for(let r of["tagroot","tagleaf"])n.delete(r);for(let r of["zoom","at","unfold","fold"])n.delete(
r);for(let r of["tagroot","tagleaf"])t.get(r)&&n.set(r,t.get(r));e.search=n.toString().replaceAll("%2F","/")}}function Ze(e){
K.restore({...K.state(),filter:qt(),...e}),Ce(!0)}function Ln(){for(let e of we)Ee(e).value="";Ze({view:"graph",fn:"",zoom:0,
at:0,find:"",filter:null})}function Mn(){if(ue>0){Ze({graph:ue-K.state().graph,type:""});return}let e=document.querySelector(
"#compare summary");e&&(e.parentElement.open=!0,e.focus())}async function An(){let e=ce.focusedName()||K.selectedName(),
t=document.getElementById("said");try{await navigator.clipboard.writeText(e||location.href),t.textContent=e?"Copied the \
function’s name.":"Copied the address of this view."}catch{t.textContent="The browser does not let this page copy."}}var kn={
"/":()=>document.querySelector(".find input").focus(),"?":()=>ie.showModal(),Backspace:()=>{history.state?.depth>0&&history.
back()},c:An,d:Mn,u:K.turn};function vn(e){let t=e.target;if(e.ctrlKey||e.metaKey||e.altKey||ie.open)return;let n=t.matches(
"input, select, textarea"),r=t===document.body||ie.contains(t),o=e.key==="Escape"?Ln:n?null:kn[e.key];o?(e.preventDefault(),
e.stopPropagation(),o(),e.key==="Escape"&&Xe.focus({preventScroll:!0})):r&&/^(Arrow|Enter|Home)/.test(e.key)&&(Xe.focus(
{preventScroll:!0}),K.keys(e))}if(q.flame.graphs?.length){Xe.setAttribute("aria-label","Flame graph. Arrow keys move, En\
ter zooms in, Backspace goes back, u turns it upside down, Escape resets."),ce=Rt(document.getElementById("function-tabl\
e"),document.getElementById("row-said"),q.flame,{shown:K.shownFunctions,show:Ft,changed:Ce}),K.start(q.flame,Ce),ve.start(
Ce),Bt(),history.replaceState({depth:history.state?.depth??0},"",location.href),addEventListener("popstate",Bt);for(let e of we)
Ee(e).addEventListener("change",()=>Ze({}));document.addEventListener("keydown",vn,!0);for(let e of document.querySelectorAll(
"[data-keys]"))e.addEventListener("click",()=>ie.showModal());ie.querySelector("button").addEventListener("click",()=>ie.
close())}tt();})();

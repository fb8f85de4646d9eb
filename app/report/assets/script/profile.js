// Made of app/report/web/profile.ts by `make web`.
"use strict";(()=>{function Je(){for(let e of document.querySelectorAll("[data-copy]"))e.addEventListener("click",async()=>{let t=document.
getElementById(e.dataset.copy);try{await navigator.clipboard.writeText(t.textContent),e.textContent="Copied"}catch{getSelection().
selectAllChildren(t),e.textContent="Selected"}})}var I=(()=>{let e=document.documentElement,t=matchMedia("(prefers-color-scheme: dark)"),n=[],r=document.createElement("s\
pan");r.hidden=!0,document.body.append(r);let o="",a=!1,l=()=>!a&&(o?o==="dark":t.matches);function s(){e.style.colorScheme=
a?"light":o;let u=document.getElementById("theme");u.textContent=l()?"Light":"Dark";for(let b of n)b()}function i(){document.
getElementById("theme").addEventListener("click",()=>{o=l()?"light":"dark",s()}),t.addEventListener("change",s),addEventListener(
"beforeprint",()=>{a=!0,s()}),addEventListener("afterprint",()=>{a=!1,s()}),s()}function c(u){return r.style.color="var(\
--"+u+")",getComputedStyle(r).color}function m(u){return getComputedStyle(e).getPropertyValue("--"+u).trim()}return{start:i,
color:c,font:m,onChange:u=>n.push(u)}})();var U=["user","dependency","std","runtime","label"],Ce=U.indexOf("label"),Re="↳ ",F=19,et=.5,me=4;function _t(){return{
owner:U.map(e=>I.color("f-"+e)),text:I.color("f-text"),rest:I.color("f-rest"),match:I.color("f-match"),mark:I.color("f-m\
ark"),markText:I.color("f-mark-text"),more:[1,2,3].map(e=>I.color("f-more"+e)),less:[1,2,3].map(e=>I.color("f-less"+e)),
none:I.color("f-none"),ground:I.color("raised"),focus:I.color("text"),muted:I.color("muted")}}function Fe(e){let t=e.search(
/[[(]/);return e.slice(e.lastIndexOf("/",t<0?e.length:t)+1)}function Y(e,t){return t>=0&&e.funcs[t][2]===Ce}function J(e,t){
return Y(e,t)?e.funcs[t][0]:Fe(e.funcs[t][0])}function $t(e,t,n){let r=e.depth[t];for(let o=t;o<e.end[t];){if(e.total[o]*
n<et){o=e.end[o];continue}e.depth[o]>r&&(r=e.depth[o]),o++}return r+1}function tt(e,t){let n=e.map(({tree:o,zoom:a})=>$t(
o,a,o.total[a]>0?t/o.total[a]:0));if(e.length===1)return Math.max(n[0],3);let r=n[1]-1;for(let o of e)o.base=r*F;return Math.
max(r+n[0],3)}function De(e,t,n,r){let o=Math.floor((r+t.top-e[0].base)/F),a=o<0?1:0,{tree:l,zoom:s}=e[a],i=Math.abs(o);
if(i<l.depth[s]){let m=s;for(;m>=0&&l.depth[m]>i;)m=l.parent[m];return[a,m]}let c=l.x[s]+n/t.width*l.total[s];for(let m=s;m<
l.end[s];){if(c<l.x[m]||c>=l.x[m]+l.total[m]){m=l.end[m];continue}if(l.depth[m]===i)return[a,m];m++}return[a,-1]}function nt(e,t,n){
let{tree:r,zoom:o,width:a,height:l,top:s,base:i,dir:c,from:m}=t,u=_t(),b=r.total[o]>0?a/r.total[o]:0,E=new Float64Array(
4096).fill(-1);e.font="11.5px "+I.font("mono"),e.textBaseline="middle";let S=e.measureText("m").width,w={ctx:e,c:u,glyph:S,
view:t,data:n,t:r};for(let x=r.parent[o];x>=0;x=r.parent[x])Ze(w,x,0,r.depth[x]*F-s,a,!0);for(let x=o;x<r.end[o];){let H=i+
c*r.depth[x]*F-s,C=r.total[x]*b;if((c>0?H>l:H<-F)||C===0){x=r.end[x];continue}if(r.depth[x]<m){x++;continue}let M=(r.x[x]-
r.x[o])*b;if(C<et){let K=Math.floor(M);H>-F&&H<l&&E[r.depth[x]]<K&&(e.fillStyle=u.rest,e.fillRect(K,H,1,F-1),E[r.depth[x]]=
K),x=r.end[x];continue}H>-F&&H<l&&Ze(w,x,M,H,C,!1),x++}}function Qt(e,t,n,r){if(!t.change)return r<0?e.rest:e.owner[r];let o=rt(
t.change[n]);return o>0?e.more[o-1]:o<0?e.less[-o-1]:e.none}function Ze({ctx:e,c:t,glyph:n,view:r,data:o,t:a},l,s,i,c,m){
let u=a.fn[l],b=u<0?-1:o.funcs[u][2],E=r.match&&u>=0&&r.match.has(u),S=m||r.match&&!E;e.globalAlpha=S?.4:a.change?1:[1,.86,
.93][u<0?0:u%3],e.fillStyle=E?t.match:Qt(t,a,l,b);let w=c>3?1:0;e.fillRect(s,i,c-w,F-1),E&&(e.fillStyle=t.text,e.fillRect(
s,i+F-3,c-w,2)),e.globalAlpha=m?.75:1;let x=s+me,H=u<0?void 0:r.marks.get(u);H&&(x=Xt(e,t,H,s,i,c-w,n));let C=a.change?ot(
a.change[l]):"",M=a.line[l]<0?Re:"";Yt(e,C+M+(u<0?"all":J(o,u)),t.text,x,i,s+c-me,n),e.globalAlpha=1,(l===r.selected||l===
r.hover)&&(e.strokeStyle=t.focus,e.lineWidth=l===r.selected?2:1,e.strokeRect(s+1,i+1,Math.max(c-w-2,1),F-3))}function Xt(e,t,n,r,o,a,l){
if(e.fillStyle=t.mark,a<5)return e.fillRect(r,o,a,F-1),r+me;e.strokeStyle=t.mark,e.lineWidth=2,e.strokeRect(r+1,o+1,a-2,
F-3);let s=n.join(" "),i=s.length*l+8;return i>a?r+me:(e.fillRect(r,o,i,F-1),e.fillStyle=t.markText,e.fillText(s,r+4,o+F/
2),r+i+me)}function Yt(e,t,n,r,o,a,l){let s=Math.floor((a-Math.max(r,0))/l);s<2||(e.fillStyle=n,e.fillText(t.length<=s?t:
t.slice(0,s-1)+"…",Math.max(r,0),o+F/2))}function Te(e,t){let n=(e.fn??[]).length+1,r={n,graph:e,funcs:t,fn:new Int32Array(n),line:new Int32Array(n),depth:new Int32Array(
n),parent:new Int32Array(n),end:new Int32Array(n),self:new Float64Array(n),total:new Float64Array(n),x:new Float64Array(
n)};r.fn[0]=-1,r.parent[0]=-1;for(let o=1;o<n;o++){r.fn[o]=e.fn[o-1],r.line[o]=e.line[o-1];let a=o-1;for(let l=e.up[o-1];l>
0;l--)a=r.parent[a];r.parent[o]=a,r.depth[o]=r.depth[a]+1}return He(r),r}function He(e){for(let t=e.n-1;t>=0;t--)e.end[t]=
Math.max(e.end[t],t+1),t>0&&(e.end[e.parent[t]]=Math.max(e.end[e.parent[t]],e.end[t]))}function Ie(e,t){let{self:n,total:r,
x:o,parent:a,n:l}=e;n.set(e.graph.self[t]),r.set(e.graph.self[t]);for(let[i,c]of e.graph.cut[t])r[i]+=c;for(let i=l-1;i>
0;i--)r[a[i]]+=r[i];let s=new Float64Array(l);for(let i=1;i<l;i++){let c=a[i];o[i]=o[c]+s[c],s[c]+=r[i]}e.type=e.graph.types[t],
e.whole=e.graph.wholes?.[t],e.graph.diff&&!e.change&&lt(e)}function st(e,t){let n=0,r=0,o=0;for(let a=1;a<e.n;a++)t(e.fn[a])&&
(e.total[a]>0&&n++,a>=o&&(r+=e.total[a],o=e.end[a]));return{frames:n,sum:r}}function at(e,t){let n=t.length-1,r=-1;for(let o=1;o<
e.n;o++){if(e.fn[o]!==t[n]||r>=0&&e.total[o]<=e.total[r])continue;let a=n;for(let l=e.parent[o];a>0&&l>0&&e.fn[l]===t[a-
1];l=e.parent[l])a--;a===0&&(r=o)}return r}function pe(e,t,n){let r=e.parent[t];if(r<0)return t;let o=t,a=!1;for(let l=r+
1;l<e.end[r];l=e.end[l])if(e.total[l]!==0){if(n>0&&a)return l;if(l===t){if(n<0)return o;a=!0}o=l}return t}function xe(e,t){
let n=t;for(let r=t+1;r<e.end[t];r=e.end[r])e.total[r]>0&&(n===t||e.total[r]>e.total[n])&&(n=r);return n}var it=[[1099511627776," TiB",1],[1073741824," GiB",1],[1048576," MiB",1],[1024," KiB",1],[1," B",0]],Jt=[[86400," days",
2],[3600," h",2],[60," min",10],[1," s",1],[.001," ms",1],[1e-6," µs",1],[1e-9," ns",0]],Zt=[[1e12," T",1],[1e9," G",1],
[1e6," M",1],[1e3," k",0]];function ft(e){return Number(e.toPrecision(3))}function ct(e){return e.replace(/\.?0+(e|$)/,"\
$1")}function Z(e){if(e<0)return"−"+Z(-e);if(e===0)return"0";if(e<5e-7)return"<0.000001";if(e>=1e15)return ct(e.toExponential(
2));if(e>=99.95)return e.toFixed(0).replace(/\B(?=(\d{3})+$)/g,",");let t=2-Math.floor(Math.log10(ft(e))+1e-9),n=e.toFixed(
Math.min(t,6));return n.includes(".")?ct(n):n}function en(e){return Math.abs(e)<1?Number(e.toPrecision(2)):Math.round(10*
e)/10}function de(e,t){if(e<0)return"−"+de(-e,t);for(let[n,r,o]of t)if(e>0?ft(e/n)>=o:n===1)return Z(e/n)+r;return Z(e)}
function Se(e){return e<0?"−"+Se(-e):Math.round(e)<1e4?Z(e):de(e,Zt)}function tn(e,t){switch(t){case"bytes":return de(
e,it);case"bytes/s":return de(e,it)+"/s";case"seconds":return de(e,Jt);case"share":return Z(en(100*e))+" %";case"cores":
return Z(e)==="1"?"1 core":Z(e)+" cores";case"1/s":return Se(e)+"/s";case"count":case"":return Se(e)}return Se(e)+" "+t}
function j(e,t){return e==null||!Number.isFinite(e)?"–":tn(e,t).replaceAll(" "," ")}function he(e){return j(e,"count")}
function $(e){return j(e,"share")}function oe({tree:e},t,n){return e.fn[n]<0?"all":t.funcs[e.fn[n]][0]}function nn({tree:e},t,n){let r=e.fn[n]<0?-1:t.funcs[e.
fn[n]][1];return r<0?"":t.files[r]+(e.line[n]?":"+Math.abs(e.line[n]):"")}function ee({tree:e},t){return j(t*e.type.scale,
e.type.unit)}function W({tree:e},t){let n=e.whole??e.total[0];return $(n?t/n:0)}function Pe(e,t,n){let[r,o]=e.links?.[e.
funcs[t]?.[1]]??[-1,""];return r<0?"":e.folders[r]+o.replace("{}",String(Math.max(n,1)))}function Oe(e,t){let n=document.
createElement("a");return n.href=e,n.rel="noopener noreferrer",n.textContent=t,n}var Be={user:"your code",dependency:"a \
dependency",std:"the standard library",runtime:"the runtime",label:"the value of a label"};function ut(e,t,n){let r=e.tree.
fn[n],o=e.tree.line[n]<0?"inlined":"";return r<0?"":[Be[U[t.funcs[r][2]]],nn(e,t,n),o].filter(Boolean).join(" · ")}function Ne(e,t,n){
let r=e.tree,o=r.change?[oe(e,t,n),ut(e,t,n),...ze(r,n)]:[oe(e,t,n),ut(e,t,n),ee(e,r.total[n])+" total, "+W(e,r.total[n])+
" · "+ee(e,r.self[n])+" self, "+W(e,r.self[n])],a=r.parent[n];a>0&&r.total[a]>0&&o.push($(r.total[n]/r.total[a])+" of "+
J(t,r.fn[a]));let l=(t.marks??[]).filter(s=>s.fn===r.fn[n]);return{lines:o,findings:[...new Set(l.map(s=>s.id+": "+t.findings[s.
finding]))]}}function qe(e,t,n=0,r=0){if(e.hidden=!t,!t)return;let{lines:o,findings:a}=t;e.replaceChildren(...[...o,...a].
map((s,i)=>{let c=document.createElement("div");return c.textContent=s,i>=o.length&&(c.className="finding-line"),c}));let l=e.
getBoundingClientRect();e.style.left=Math.max(8,Math.min(n+14,innerWidth-l.width-8))+"px",e.style.top=(r+18+l.height>innerHeight?
Math.max(8,r-l.height-12):r+18)+"px"}function mt(e,t){let n=e.tree,r=[],{match:o}=e;if(o){let a=st(n,l=>o.has(l));r.push(
a.frames?["Found ",W(e,a.sum)," ("+ee(e,a.sum)+") in "+he(a.frames)+" frames"]:["Found ","nothing",""])}if(e.selected>=0){
let a=Ne(e,t,e.selected);r.push(["",a.lines[0]," "+[...a.lines.slice(1,n.change?4:3),...a.findings].filter(Boolean).join(
" · "),Pe(t,n.fn[e.selected],Math.abs(n.line[e.selected]))])}else if(!e.match){let a=e.zoom?" in "+oe(e,t,e.zoom):"";n.
change?r.push(["",oe(e,t,e.zoom),": "+ze(n,e.zoom).join(" · ")]):r.push(["",ee(e,n.total[e.zoom]),(n.whole?" ("+W(e,n.total[e.
zoom])+")":"")+" of "+n.type.name+a+", "+he(n.n-1)+" frames"])}return r.map(([a,l,s,i])=>{let c=document.createElement("\
span"),m=document.createElement("b");return m.textContent=l,c.append(a,m,s),i&&c.append(" · ",Oe(i,"source")),c})}function pt(e,t){
let n=document.createElement("button");return n.type="button",n.setAttribute("role","tab"),n.textContent=e,n.addEventListener(
"click",t),n}function Q(e,t){let n=document.createElement("span"),r=document.createElement("span");return r.className="k\
ey "+e,n.append(r,t),n}function dt(e,t){let n=e.tree;if(n.change)return gt();let r={user:"your code",dependency:"depende\
ncies",std:"standard library",runtime:"runtime"},o=new Float64Array(U.length);for(let l=1;l<n.n;l++){let s=l;for(;Y(t,n.
fn[s])&&n.parent[s]>0;)s=n.parent[s];Y(t,n.fn[s])||(o[t.funcs[n.fn[s]][2]]+=n.self[l])}let a=U.flatMap((l,s)=>o[s]>0?[Q(
l,r[l]+" "+W(e,o[s]))]:[]);return n.fn.some(l=>Y(t,l))&&a.push(Q("label","value of a label")),n.line.some(l=>l<0)&&a.push(
Q("inlined",Re+"inlined by the compiler")),n.fn.some(l=>e.marks.has(l))&&a.push(Q("mark","frame of a finding")),a}function ht(e,t,n){
let r=new Set(e.tree.fn),o=new Map;for(let a of t.marks??[]){if(!r.has(a.fn))continue;let l=o.get(a.finding)??{id:a.id,fns:new Set};
l.fns.add(a.fn),o.set(a.finding,l)}return[...o].sort(([a],[l])=>a-l).map(([a,{id:l,fns:s}])=>{let i=document.createElement(
"div"),c=document.createElement("a");return i.setAttribute("role","group"),i.setAttribute("aria-label",l+": "+t.findings[a]),
c.href=(t.page??"")+"#finding-"+a,c.title=t.findings[a],c.textContent=l,i.append(c,...[...s].map(m=>{let u=document.createElement(
"button");return u.type="button",u.title=t.funcs[m][0],u.textContent=Fe(t.funcs[m][0]),u.addEventListener("click",()=>n(
m)),u})),i})}var rn=[0,.01,.05];function lt(e){let t=n=>{let r=Float64Array.from(e.graph.self[n]);for(let[o,a]of e.graph.cut[n])r[o]+=
a;for(let o=e.n-1;o>0;o--)r[e.parent[o]]+=r[o];return r};e.sides=[t(0),t(1)],e.wholes=e.graph.wholes??[e.sides[0][0],e.sides[1][0]],
Ke(e)}function Ke(e){e.change=new Float64Array(e.n);let[t,n]=[e.sides,e.wholes],{diff:r,types:o}=e.graph,a=n[1]*o[1].scale;
for(let l=0;l<e.n;l++){let s=t[0][l]*o[0].scale-t[1][l]*o[1].scale,i=0;for(let c of[0,1])i+=r.sample[c]*t[c][l]*(1-t[c][l]/
n[c])*o[c].scale**2;Math.abs(s)>Math.max(2*Math.sqrt(Math.max(i,0)),r.noise*a)&&(e.change[l]=s/a)}}function rt(e){let t=0;
for(let n of rn)Math.abs(e)>n&&t++;return Math.sign(e)*t}function on(e){return(e>0?"+":"−")+$(Math.abs(e))}function ot(e){
return e===0?"":(e>0?"▲":"▼")+$(Math.abs(e)).replace(" ","")+" "}function ze(e,t){let{types:n}=e.graph,r=e.sides[1][t]*
n[1].scale,o=e.sides[0][t]*n[0].scale,a=n[0].unit,l=o-r,s=e.wholes[1]*n[1].scale;return[j(r,a)+" "+n[1].name+", "+j(o,a)+
" "+n[0].name,e.change[t]===0?"no change beyond sampling error and noise":(l>0?"+":"")+j(l,a)+", "+on(l/s)+" of total "+
n[1].name]}function gt(){let e=["below 1 %","1 to 5 %","above 5 %"];return[...e.map((t,n)=>Q("more"+(n+1),"▲ more, "+t)),
...e.map((t,n)=>Q("less"+(n+1),"▼ less, "+t)),Q("none","no change beyond sampling error and noise")]}function Le(e,t){return e.sides?e.sides.some(n=>n[t]>0):e.total[t]>0}function sn(e){let t=new Set;for(let n=1;n<e.n;n++)
e.parent[n]>0&&Le(e,n)&&t.add(e.fn[e.parent[n]]);return t}function yt(e){let{types:t}=e.graph,n=s=>{let{self:i,total:c}=se(
e.sides?{...e,self:e.graph.self[s],total:e.sides[s]}:e),m=e.sides?t[s].scale:e.type.scale;return{flat:i.map(u=>u*m),cum:c.
map(u=>u*m)}},r=sn(e),o=n(0),a=e.sides?n(1):null,l=[];return o.cum.forEach((s,i)=>{let c={fn:i,path:[i],calls:r.has(i),flat:o.
flat[i],cum:s};a&&Object.assign(c,{flatChange:c.flat-a.flat[i],cumChange:s-a.cum[i]}),(s>0||a&&a.cum[i]>0)&&l.push(c)}),
l}function bt(e,t){let n=[];for(let r=t+1;r<e.end[t];r=e.end[r])Le(e,r)&&n.push(r);return n}function wt(e,t){let n=t.tree??
ge(e,t.fn),{types:r}=n.graph;return bt(n,t.node??0).map(o=>{let a=i=>({flat:n.selves[i][o]*r[i].scale,cum:n.sides[i][o]*
r[i].scale}),l=n.sides?a(0):{flat:n.self[o]*n.type.scale,cum:n.total[o]*n.type.scale};if(n.sides){let i=a(1);Object.assign(
l,{flatChange:l.flat-i.flat,cumChange:l.cum-i.cum})}let s=n.fn[o];return{...l,fn:s,path:[...t.path,s],tree:n,node:o,calls:bt(
n,o).length>0}})}function je(e,t){let n=t==="flat"?"cum":"flat",r=(o,a)=>Math.abs(o[`${a}Change`]??o[a]);return e.sort((o,a)=>r(
a,t)-r(o,t)||r(a,n)-r(o,n)||o.fn-a.fn)}function an(e,t){return e===0?"0":(e>0?"+":"")+j(e,t)}function Et(e){let{unit:t}=e.
sides?e.graph.types[0]:e.type,n=(e.whole??e.total[0])*e.type.scale;return["flat","cum"].flatMap(r=>[[r,r==="flat"?"Flat":
"Cum",o=>j(o[r],t)],e.sides?["","change",o=>an(o[`${r}Change`],t)]:["","share",o=>$(n?o[r]/n:0)]])}function Me(e,t){let n=[];for(let r=1;r<e.n;){if(e.fn[r]!==t){r++;continue}Le(e,r)&&n.push(r),r=e.end[r]}return n}function Tt(e,t){
let n=e.sides??[],r={parent:[-1],fn:[t],self:[0],total:[0],line:[0],most:[0],sides:n.map(()=>[0]),selves:n.map(()=>[0])},
o=new Map,a=e.funcs;function l(i,c){let m=i*a+c,u=o.get(m);if(u===void 0){u=r.fn.length,o.set(m,u),r.parent.push(i),r.fn.
push(c),r.self.push(0),r.total.push(0),r.line.push(0),r.most.push(0);for(let b of[...r.sides,...r.selves])b.push(0)}return u}
function s(i,c,m=c){r.total[i]+=e.total[c],e.total[m]>r.most[i]&&(r.most[i]=e.total[m],r.line[i]=e.line[m]),r.sides.forEach(
(u,b)=>{u[i]+=n[b][c]})}return{nodes:r,step:l,add:s}}function ge(e,t){let{nodes:n,step:r,add:o}=Tt(e,t),a=[0];for(let l of Me(
e,t))for(let s=l;s<e.end[l];s++){let i=e.depth[s]-e.depth[l];i>0&&(a[i]=r(a[i-1],e.fn[s])),o(a[i],s),n.self[a[i]]+=e.self[s],
n.selves.forEach((c,m)=>{c[a[i]]+=e.graph.self[m][s]})}return St(e,n)}function xt(e,t){let{nodes:n,step:r,add:o}=Tt(e,t);
for(let a of Me(e,t)){let l=0;o(0,a);for(let s=e.parent[a];s>0;s=e.parent[s])l=r(l,e.fn[s]),o(l,a,s)}return St(e,n)}function St(e,t){
let n=t.fn.length,r=Array.from({length:n},()=>[]);for(let s=1;s<n;s++)r[t.parent[s]].push(s);let o={n,graph:e.graph,type:e.
type,whole:e.whole??e.total[0],funcs:e.funcs,fn:new Int32Array(n),line:new Int32Array(n),depth:new Int32Array(n),parent:new Int32Array(
n),end:new Int32Array(n),self:new Float64Array(n),total:new Float64Array(n),x:new Float64Array(n)};e.sides&&(o.sides=e.sides.
map(()=>new Float64Array(n)),o.selves=e.sides.map(()=>new Float64Array(n)),o.wholes=e.wholes);let a=[[0,-1,0,0]],l=0;for(;a.
length;){let[s,i,c,m]=a.pop(),u=l++;o.fn[u]=t.fn[s],o.parent[u]=i,o.depth[u]=c,o.x[u]=m,o.self[u]=t.self[s],o.total[u]=t.
total[s],o.line[u]=t.line[s],o.sides?.forEach((S,w)=>{S[u]=t.sides[w][s]}),o.selves?.forEach((S,w)=>{S[u]=t.selves[w][s]});
let b=r[s].sort((S,w)=>t.total[w]-t.total[S]||t.fn[S]-t.fn[w]),E=m;for(let S of b)E+=t.total[S];for(let S of b.reverse())
E-=t.total[S],a.push([S,u,c+1,E])}return He(o),o.sides&&Ke(o),o}function se(e){let t=new Float64Array(e.funcs),n=new Float64Array(
e.funcs),r=new Int32Array(e.funcs),o=[];for(let a=1;a<e.n;a++){for(;o.length>=e.depth[a];)r[o.pop()]--;let l=e.fn[a];t[l]+=
e.self[a],r[l]===0&&(n[l]+=e.total[a]),r[l]++,o.push(l)}return{self:t,total:n}}function Ue(e,t=e.keys()){let n=-1;for(let r of t)
e[r]>(n<0?0:e[n])&&(n=r);return n}function Ae(e,t){let n=t.toLowerCase().split("|").map(l=>l.trim()).filter(Boolean);if(!n.length)return null;let r=l=>n.some(
s=>l.includes(s)),o=(e.files??[]).map(l=>r(l.toLowerCase())),a=new Set;return e.funcs.forEach(([l,s],i)=>{(r(l.toLowerCase())||
o[s])&&a.add(i)}),a}function ln(e,t){let n=new Uint8Array(e.n);for(let r=1;r<e.n;r++)n[r]=n[e.parent[r]]||t.has(e.fn[r])?
1:0;return n}function Lt(e,{focus:t,ignore:n,from:r}){let[o,a,l]=[t,n,r].map(m=>m&&ln(e,m)),s=m=>(!o||o[m])&&!(a&&a[m])&&
(!l||l[m]),i=(m,u)=>m.reduce((b,E)=>b+E,0)+e.graph.cut[u].reduce((b,[,E])=>b+E,0),c={...e.graph,wholes:e.graph.self.map(
i),lines:{fn:[],line:[],self:[],total:[]},self:e.graph.self.map(m=>m.map((u,b)=>s(b)?u:0)),cut:e.graph.cut.map(m=>m.filter(
([u])=>s(u)))};return Te(l?cn(e,c,l):c,e.funcs)}function cn(e,t,n){let r=[{depth:0,children:new Map}],o=new Int32Array(e.
n);for(let s=1;s<e.n;s++){if(!n[s])continue;let i=r[o[e.parent[s]]];i.children.has(e.fn[s])||(i.children.set(e.fn[s],r.length),
r.push({fn:e.fn[s],line:e.line[s],depth:i.depth+1,children:new Map})),o[s]=i.children.get(e.fn[s])}let a=s=>{let i=new Array(
r.length).fill(0);return s.forEach((c,m)=>{i[o[m]]+=c}),i},l=t.cut.map(s=>s.map(([i,c])=>[o[i],c]));return fn({...t,self:t.
self.map(a),cut:l},r)}function fn(e,t){let n=[...e.self[e.default]];for(let[s,i]of e.cut[e.default])n[s]+=i;for(let s=t.
length-1;s>=0;s--)for(let i of t[s].children.values())n[s]+=n[i];let r=[],o=[0];for(;o.length;){let s=o.pop();r.push(s);
for(let i of[...t[s].children.values()].sort((c,m)=>n[c]-n[m]))o.push(i)}let a=new Int32Array(t.length);r.forEach((s,i)=>{
a[s]=i});let l=r.slice(1);return{...e,fn:l.map(s=>t[s].fn),line:l.map(s=>t[s].line),up:l.map((s,i)=>t[r[i]].depth+1-t[s].
depth),self:e.self.map(s=>r.map(i=>s[i])),cut:e.cut.map(s=>s.map(([i,c])=>[a[i],c]))}}function We(e,t){if(e.hashes)return e.
hashes;let n=Ge(t);e.hashes=new Uint32Array(e.n);for(let r=1;r<e.n;r++)e.hashes[r]=Ve(e.hashes[e.parent[r]],n[e.fn[r]],e.
depth[r]);return e.hashes}function Ge(e){return e.hashes??=e.funcs.map(([t])=>{let n=2166136261;for(let r=0;r<t.length;r++)
n=Math.imul(n^t.charCodeAt(r),16777619);return n}),e.hashes}function Ve(e,t,n){return Math.imul(e^e>>>15^t,739982445)+n}
function _e(e,t,n){return n?Math.max(We(e,t).indexOf(n),0):0}function un(e,t,n){let r=e.graph.lines,o=[];if(r.fn?.forEach((s,i)=>{s===n&&o.push({line:r.line[i],self:r.self[t][i],total:r.
total[t][i]})}),o.length)return{rows:o,exact:!0};let a=new Map,l=s=>(a.has(s)||a.set(s,{line:s,self:0,total:0}),a.get(s));
for(let s of Me(e,n))l(e.line[s]).total+=e.total[s];for(let s=1;s<e.n;s++)e.fn[s]===n&&(l(e.line[s]).self+=e.self[s]);return{
rows:[...a.values()].sort((s,i)=>s.line-i.line),exact:!1}}function P(e,t,n){let r=document.createElement(e);return r.append(
t),n&&(r.className=n),r}function mn(e){let t="http://www.w3.org/2000/svg",n=document.createElementNS(t,"svg");n.setAttribute(
"class","share"),n.setAttribute("viewBox","0 0 100 6"),n.setAttribute("preserveAspectRatio","none"),n.setAttribute("aria\
-hidden","true");for(let[r,o]of[["track",100],["fill",Math.min(100*e,100)]]){let a=document.createElementNS(t,"rect");a.
setAttribute("class",r),a.setAttribute("width",String(o)),a.setAttribute("height","6"),n.append(a)}return n}function Mt(e,t,n,r){
let o=e.tree,{rows:a,exact:l}=un(o,n,r),s=document.createElement("table"),i=document.createElement("tr");for(let[b,E]of[
["Line","num"],["Self","num"],["Share","num"],["With callees","num"],["Share","num"],["",""]]){let S=P(b?"th":"td",b,E);
b&&(S.scope="col"),i.append(S)}let c=document.createElement("tbody"),m=o.whole??o.total[0];for(let b of a){let E=document.
createElement("tr"),S=Pe(t,r,b.line),w=P("th",S?Oe(S,String(b.line)):b.line?String(b.line):"–","num");w.scope="row",E.
append(w,P("td",ee(e,b.self),"num"),P("td",W(e,b.self),"num"),P("td",ee(e,b.total),"num"),P("td",W(e,b.total),"num"),P("\
td",mn(m?b.total/m:0),"barcell")),c.append(E)}if(s.append(P("thead",i),c),l)return[s];let u=P("p","The page has every li\
ne only for the heaviest functions. In this function, each frame counts at its heaviest line.","note");return[s,u]}var z=(()=>{let e={width:0,height:0,top:0,match:null,marks:new Map},t=[],n=[],r=[],o,a,l,s,i,c,m,u=0,b=0,E="graph",S=-1,
w=[],x=0,H=null,C=()=>{};function M(f){return a.querySelector(f)}function K(f,p={}){return{tree:f,zoom:0,base:0,dir:1,from:0,
hover:-1,selected:-1,...p}}function V(f=x){return{...e,...w[f]}}function R(){performance.clearMeasures("flame");let f=performance.
now();if(e.width=l.clientWidth,!e.width)return;let p=tt(w,e.width)*F,g=parseFloat(getComputedStyle(l).maxHeight)||p;e.height=
Math.min(p,g),M(".spacer").style.height=p-e.height+"px",e.top=Math.min(l.scrollTop,p-e.height);let y=devicePixelRatio||1,
[v,ue]=[Math.round(e.width*y),Math.round(e.height*y)];(s.width!==v||s.height!==ue)&&(s.width=v,s.height=ue,s.style.width=
e.width+"px",s.style.height=e.height+"px"),i.setTransform(y,0,0,y,0,0),i.clearRect(0,0,e.width,e.height),w.forEach((xn,Vt)=>nt(
i,V(Vt),o)),performance.measure("flame",{start:f,end:performance.now()})}function N(){m.replaceChildren(...mt(V(),o)),E===
"lines"&&S>=0&&M(".lines").replaceChildren(...Mt(L(),o,b,S))}function q(f){w[0].zoom=f,R(),N(),C(!0)}function O(f,p){for(let v of w)
v.selected=-1;x=f;let g=w[f];g.selected=p;let y=g.base+g.dir*g.tree.depth[p]*F;(y<l.scrollTop||y+F>l.scrollTop+e.height)&&
(l.scrollTop=y-e.height/2),R(),N(),C(!1)}function ce(f){e.match=Ae(o,f),E!=="graph"&&T(),R(),N(),C(!1)}function te(){for(let f of w)
f.selected=-1;w[0].zoom=0,x=0,M("input").value="",l.scrollTop=0,C(!0),ce("")}function fe(f){b=f;let p=t[u];if(Ie(p,f),E===
"graph"){let g=w[0];for(;g.zoom>0&&p.total[g.zoom]===0;)g.zoom=p.parent[g.zoom]}else d(S);M(".types select").value=String(
f),M(".legend").replaceChildren(...dt({...e,tree:p},o)),R(),N(),C(!0)}function _(f){u=f;let p=o.graphs[f];n[f]??=Te(p,o.
funcs.length),t[f]??=H?Lt(n[f],H):n[f],r.length=0,w=[K(t[f])],x=0,l.scrollTop=0,a.querySelectorAll(".tabs button").forEach(
(y,v)=>{y.setAttribute("aria-selected",String(v===f)),y.tabIndex=v===f?0:-1}),M(".types select").replaceChildren(...p.types.
map((y,v)=>new Option(y.name,String(v),!1,v===p.default))),M(".types").hidden=p.types.length<2,M(".marks").replaceChildren(
...ht(V(),o,A)),Ie(t[f],p.default),E!=="graph"&&(S=Ee()),fe(p.default)}function Ee(){let{self:f,total:p}=se(t[u]);return S>=
0&&p[S]>0?S:Math.max(Ue(f),0)}function X(f){let p=w[x];p.selected>=0&&p.tree.fn[p.selected]>=0&&(S=p.tree.fn[p.selected]),
E=f,r.length=0;for(let g of a.querySelectorAll(".modes button"))g.setAttribute("aria-pressed",String(g.dataset.mode===E));
a.dataset.mode=E,M(".function").hidden=E==="graph",M(".lines").hidden=E!=="lines",l.hidden=E==="lines",M(".legend").hidden=
E==="lines",l.scrollTop=0,E==="graph"?(w=[K(t[u])],x=0):d(Ee()),R(),N(),C(!0)}function d(f){S=f;let p=t[u];x=0,w=E==="sa\
ndwich"?[K(ge(p,f),{selected:0}),K(xt(p,f),{dir:-1,from:1})]:[K(ge(p,f),{selected:0})],T(),E==="sandwich"&&(e.width=l.clientWidth,
R(),l.scrollTop=Math.max(0,w[0].base-e.height/2))}function h(f){f<0||f===S||(r.push(S),d(f),R(),N(),C(!0))}function T(){
let{self:f,total:p}=se(t[u]),g=[...p.keys()].filter(v=>p[v]>0&&(!e.match||e.match.has(v))).sort((v,ue)=>p[ue]-p[v]||f[ue]-
f[v]).slice(0,300);g.includes(S)||g.unshift(S);let y=v=>W(L(),p[v])+"  "+J(o,v);M(".function select").replaceChildren(...g.
map(v=>new Option(y(v),String(v),!1,v===S)))}function L(){return{...e,tree:t[u]}}function A(...f){if(E!=="graph"){h(f.at(
-1));return}let p=t[u],g=at(p,f);if(g<0)return;let y=g;for(;y>0&&p.total[g]/p.total[y]>.12;)y=p.parent[y];w[0].zoom=y,R(),
C(!0),O(0,g)}function k(){let{tree:f,zoom:p,selected:g}=w[0],y=g<0?p:g;return{ArrowDown:()=>O(0,g<0?p:xe(f,y)),ArrowUp:()=>{
f.parent[y]<0||(y===p&&q(f.parent[y]),O(0,f.parent[y]))},ArrowLeft:()=>{y!==p&&O(0,pe(f,y,-1))},ArrowRight:()=>{y!==p&&O(
0,pe(f,y,1))},Enter:()=>q(y),Escape:()=>{p>0?q(f.parent[p]):te()},Home:te}}function D(){let{tree:f,selected:p}=w[x],g=Math.
max(p,0),y=()=>O(x,xe(f,g)),v=()=>O(f.parent[g]>0?x:0,Math.max(f.parent[g],0));return{ArrowDown:x===0?y:v,ArrowUp:()=>{x===
1?y():g>0?v():w[1].tree.n>1&&O(1,xe(w[1].tree,0))},ArrowLeft:()=>O(x,pe(f,g,-1)),ArrowRight:()=>O(x,pe(f,g,1)),Enter:()=>h(
f.fn[g]),Escape:()=>ne(),Home:()=>O(0,0)}}function ne(){r.length?(d(r.pop()),R(),N(),C(!0)):X("graph")}function re(f){let p=E===
"graph"?k():D();!p[f.key]||f.ctrlKey||f.metaKey||f.altKey||(f.preventDefault(),p[f.key]())}function Ot(){s.addEventListener(
"pointermove",f=>{let[p,g]=De(w,e,f.offsetX,f.offsetY);w.some((y,v)=>y.hover!==(v===p?g:-1))&&(w.forEach((y,v)=>{y.hover=
v===p?g:-1}),R()),f.pointerType==="mouse"&&qe(c,g<0?null:Ne(V(p),o,g),f.clientX,f.clientY)}),s.addEventListener("pointer\
leave",()=>{for(let f of w)f.hover=-1;qe(c,null),R()}),s.addEventListener("click",f=>{let[p,g]=De(w,e,f.offsetX,f.offsetY);
if(!(g<0)){if(E==="sandwich"){h(w[p].tree.fn[g]);return}w[0].selected=g,q(g)}})}function Bt(){let f=M(".tabs");f.replaceChildren(
...o.graphs.map((p,g)=>pt(p.title,()=>_(g)))),f.addEventListener("keydown",p=>{let g={ArrowRight:1,ArrowLeft:-1}[p.key];
g&&(_((u+g+o.graphs.length)%o.graphs.length),f.children[u].focus())})}function Nt(f,p){if(a=document.getElementById("fla\
me"),!(!a||!f.graphs?.length)){o=f,l=M(".stage"),s=l.querySelector("canvas"),i=s.getContext("2d"),c=M(".tip"),m=M(".stat\
us");for(let g of o.marks??[]){let y=e.marks.get(g.fn)??[];e.marks.set(g.fn,y.includes(g.id)?y:[...y,g.id])}Bt(),Ot(),l.
addEventListener("keydown",re),l.addEventListener("scroll",R);for(let g of a.querySelectorAll(".modes button"))g.addEventListener(
"click",()=>X(g.dataset.mode));M(".types select").addEventListener("change",g=>fe(Number(g.target.value))),M(".function \
select").addEventListener("change",g=>h(Number(g.target.value))),M("input").addEventListener("input",g=>ce(g.target.value)),
M("input").addEventListener("keydown",qt),M(".reset").addEventListener("click",te),_(o.marks?.[0]?.graph??0),p&&(C=p),new ResizeObserver(
R).observe(a),I.onChange(R)}}function qt(f){if(f.key!=="Enter"||!e.match?.size)return;let{total:p}=se(t[u]),g=Ue(p,e.match);
g>=0&&A(g)}function zt(f){let p=o.marks[f];E!=="graph"&&X("graph"),u!==p.graph&&_(p.graph),A(p.fn),a.scrollIntoView({block:"\
start"}),l.focus({preventScroll:!0})}function Kt(f){u!==f&&_(f),l.focus({preventScroll:!0})}function jt(){let{zoom:f,selected:p}=w[0],
g=y=>E==="graph"&&y>0?We(t[u],o)[y]:0;return{graph:u,type:o.graphs[u].types[b].name,view:E,zoom:g(f),at:g(p),fn:E==="gra\
ph"?"":o.funcs[S]?.[0]??"",find:M("input").value}}function Ut(f){let p=C;C=()=>{},H=f.filter,t.length=0,_(Math.min(f.graph,
o.graphs.length-1)),E!=="graph"&&X("graph");let g=o.graphs[u].types.findIndex(y=>y.name===f.type);if(g>=0&&g!==b&&fe(g),
M("input").value=f.find,ce(f.find),f.view==="sandwich"||f.view==="lines")S=o.funcs.findIndex(([y])=>y===f.fn),X(f.view);else{
w[0].zoom=_e(t[u],o,f.zoom),R();let y=_e(t[u],o,f.at);y>0?O(0,y):N()}C=p}function Wt(){return{tree:t[u],column:b,match:e.
match}}function Gt(){let f=w[x];return f.selected>0||E!=="graph"&&f.selected===0?oe(V(),o,f.selected):""}return{start:Nt,
showMark:zt,showGraph:Kt,reset:te,state:jt,restore:Ut,shownFunctions:Wt,selectedName:Gt,jump:A,keys:re}})();var At=(()=>{let e=[],t="",n=!1,r=!1,o=()=>{};function a(){let c=new URLSearchParams;for(let m of e)m.write(c);return c.
size?"#~"+c.toString().replaceAll("%2C",","):""}function l(c){r||=c,!n&&(n=!0,queueMicrotask(()=>{let m=a();if(m!==t){let u=new URL(
location.href);u.hash=m,r?history.pushState({view:m},"",u):history.replaceState({view:m},"",u),t=m}n=r=!1}))}function s(){
let c=location.hash&&!location.hash.startsWith("#~")?location.hash.slice(1):"",m=history.state?.view;if(c&&typeof m!="st\
ring"){o(c),t=a(),history.replaceState({view:t},"");return}let u=c?String(m):location.hash;if(u===t)return;let b=new URLSearchParams(
u.slice(2));for(let E of e)E.read(b);t=a()}function i(c,m){return e=c,m&&(o=m),addEventListener("popstate",s),addEventListener(
"hashchange",s),s(),new URLSearchParams(t.slice(2))}return{start:i,changed:l}})();var pn=50,ve=(()=>{let e=new Map,t=new Map,n=!1;function r(s){if(s.id)return s.id;let i=s.closest("[id]")??document.body,
c=[...i.querySelectorAll("details:not([id])")].filter(m=>(m.closest("[id]")??document.body)===i);return i.id+"."+c.indexOf(
s)}function o(s=At.changed){for(let c of document.querySelectorAll("details"))e.set(c,c.open),t.set(r(c),c);document.addEventListener(
"toggle",()=>{n||s(!0)},!0);let i=[];addEventListener("beforeprint",()=>{n=!0,i=[...document.querySelectorAll("details.f\
inding:not([open])")];for(let c of i)c.open=!0}),addEventListener("afterprint",()=>{for(let c of i)c.open=!1;n=!1})}let a={
write:s=>{let i=[...t].filter(([,c])=>c.open!==e.get(c));for(let[c,m]of[["unfold",!0],["fold",!1]]){let u=i.filter(([,b])=>b.
open===m).map(([b])=>b).slice(0,pn);u.length&&s.set(c,u.join(","))}},read:s=>{let i=u=>new Set((s.get(u)??"").split(",")),
c=i("unfold"),m=i("fold");for(let[u,b]of t)b.open=c.has(u)||e.get(b)&&!m.has(u)}};function l(s){let i=document.getElementById(
s),c=i?.closest("details");!c||c.open||(c.open=!0,i.scrollIntoView())}return{start:o,part:a,follow:l}})();var dn=50;function vt(e,t,n,{shown:r,show:o,changed:a}){let l=new Set,s=new WeakMap,i="flat",c=30,m=[],u,b;function E(){
let d=r(),h=[d.tree,d.column,d.match,i,c];if(h.every((k,D)=>k===m[D]))return;m=h,u=d.tree,b=Et(u);let T=s.get(N(document.
activeElement))?.key,L=je(yt(u).filter(k=>!d.match||d.match.has(k.fn)),i);e.replaceChildren(...L.length?S(L):[P("p","No \
function matches.","empty")]);let A=R();A.length&&(A[0].tabIndex=0),T!==void 0&&q(A.find(k=>s.get(k).key===T)??A[0])}function S(d){
let h=G("table","treegrid","cards functions");h.setAttribute("aria-label","Functions"),h.setAttribute("aria-describedby",
"functions-how");let T=G("thead","rowgroup");T.append(w());let L=G("tbody","rowgroup");if(L.append(...d.slice(0,c).flatMap(
(k,D)=>x(k,D,d.length))),h.append(T,L),d.length<=c)return[h];let A=P("button","Show more: "+he(d.length-c)+" functions a\
re left","quiet more");return A.type="button",A.addEventListener("click",()=>{let k=c;c+=200,a(!1),q(R().filter(D=>D.ariaLevel===
"1")[k])}),[h,A]}function w(){let d=G("tr","row"),h=G("th","columnheader");return h.scope="col",h.append("Function"),d.append(
h,...b.map(([T,L])=>{let A=G("th","columnheader","num");if(A.scope="col",!T)return A.append(L),A;let k=P("button",L+(T===
i?" ▾":""),"link");return k.type="button",k.dataset.sort=T,k.addEventListener("click",()=>{i=T,a(!0),e.querySelector("\
[data-sort="+T+"]")?.focus()}),T===i&&A.setAttribute("aria-sort","descending"),A.append(k),A})),d}function x(d,h,T){d.key=
hn(n,d.path);let L=G("tr","row");return s.set(L,d),L.tabIndex=-1,L.setAttribute("aria-level",String(d.path.length)),L.setAttribute(
"aria-posinset",String(h+1)),L.setAttribute("aria-setsize",String(T)),d.calls&&L.setAttribute("aria-expanded",String(l.has(
d.key))),L.append(C(L,d),...b.map(([A,k,D],ne)=>{let re=G("td","gridcell","num");return re.append(D(d)),re.dataset.label=
A?k.toLowerCase():b[ne-1][1].toLowerCase()+" "+k,re})),d.calls&&l.has(d.key)?[L,...H(d)]:[L]}function H(d){let h=je(wt(u,
d),i);return h.flatMap((T,L)=>x(T,L,h.length))}function C(d,h){let T=G("th","rowheader");T.scope="row";let L=P("span",h.
calls?l.has(h.key)?"▾":"▸":"","twist");L.setAttribute("aria-hidden","true"),L.addEventListener("click",()=>{h.calls&&
O(d)});let A=P("button",n.funcs[h.fn][0],"link symbol");A.type="button",A.tabIndex=-1,A.addEventListener("click",()=>o(h.
path));let k=P("div",A);k.append(P("span",[...M(h.fn),...K(h.fn)].join(" · "),"sub"));let D=P("div",L,"tree");return D.
style.setProperty("--above",String(h.path.length-1)),D.append(k),T.append(D),T}function M(d){let[,h,T]=n.funcs[d];return T===
Ce?[U[T],n.files[h]]:[U[T],...h<0?[]:[n.files[h].split("/").slice(-2).join("/")]]}function K(d){return[...new Set((n.marks??
[]).filter(h=>h.fn===d).map(h=>h.id))]}function V(d,h){let T=b.map(([,,D])=>D(h)),L=h.path.slice(0,-1).map(D=>J(n,D)).reverse(),
A=K(h.fn),k=h.calls?d.ariaExpanded==="true"?"What it calls is open":"Right shows what it calls":"It calls nothing that w\
as counted";return[n.funcs[h.fn][0]+(L.length?", called by "+L.join(", by "):""),[["itself",0],["with what it calls",2]].
map(([D,ne])=>T[ne]+" "+D+", "+T[ne+1]+(u.sides?" against the base":" of all")).join("; "),(Y(n,h.fn)?"It is ":"In ")+[Be[U[n.
funcs[h.fn][2]]],...M(h.fn).slice(1)].join(", "),...A.length?["A place of "+A.join(", ")]:[],k].join(". ")+"."}function R(){
return[...e.querySelectorAll("tbody tr")]}function N(d){return d&&e.contains(d)?d.closest("tbody tr"):null}function q(d){
d?.focus()}function O(d){let h=s.get(d),T=!l.delete(h.key);if(T)l.add(h.key),d.after(...H(h));else for(;Number(d.nextElementSibling?.
ariaLevel)>h.path.length;)d.nextElementSibling.remove();d.setAttribute("aria-expanded",String(T)),d.querySelector(".twis\
t").textContent=T?"▾":"▸",N(document.activeElement)===d?t.textContent=V(d,h):e.querySelector('tbody tr[tabindex="0"]')||
(d.tabIndex=0),a(!1)}function ce(d){let h=d.previousElementSibling;for(;h&&Number(h.ariaLevel)>=Number(d.ariaLevel);)h=h.
previousElementSibling;return h}function te(d){let h=N(d.target);if(!h||d.ctrlKey||d.metaKey||d.altKey)return;let T=h.ariaExpanded,
L={ArrowDown:()=>q(h.nextElementSibling),ArrowUp:()=>q(h.previousElementSibling),ArrowRight:()=>{T==="true"?q(h.nextElementSibling):
T&&O(h)},ArrowLeft:()=>{T==="true"?O(h):q(ce(h))},Home:()=>q(R()[0]),End:()=>q(R().at(-1)),Enter:()=>o(s.get(h).path)}[d.
key];L&&(d.preventDefault(),d.stopPropagation(),L())}function fe(d){let h=N(d.target);if(!h)return;for(let L of e.querySelectorAll(
'tbody tr[tabindex="0"]'))L.tabIndex=-1;h.tabIndex=0;let T=V(h,s.get(h));t.textContent!==T&&(t.textContent=T)}e.addEventListener(
"keydown",te),e.addEventListener("focusin",fe);function _(){return{sort:i,open:[...l].slice(-dn).map(d=>d.toString(16)).
join(".")}}function Ee({sort:d,open:h}){i=d==="cum"?"cum":"flat",l.clear();for(let T of h.split("."))T&&l.add(Number.parseInt(
T,16));m=[]}function X(){let d=s.get(N(document.activeElement));return d?n.funcs[d.fn][0]:""}return{refresh:E,state:_,restore:Ee,
focusedName:X}}function G(e,t,n){let r=document.createElement(e);return r.setAttribute("role",t),n&&(r.className=n),r}function hn(e,t){
let n=Ge(e);return t.reduce((r,o,a)=>Ve(r,n[o],a+1),0)>>>0}function kt(e){let t=document.querySelector(".stage");z.jump(
...e),t.scrollIntoView({block:"center"}),t.focus({preventScroll:!0})}function be(e){return/^[\w./:=@%,+-]+$/.test(e)?e:"'"+e.replaceAll("'","'\\''")+"'"}function Ct(e){return"(?i)"+e.split(
"|").map(n=>n.trim()).filter(Boolean).map(n=>n.replace(/[\\.+*?()|[\]{}^$]/g,"\\$&")).join("|")}function Rt({type:e,filters:t,
tagroot:n,tagleaf:r,file:o,base:a}){let l=["go","tool","pprof","-http=:"];e&&l.push(be("-sample_index="+e));for(let[s,i]of[
["focus",t.focus],["ignore",t.ignore],["show_from",t.from]])i.trim()&&l.push(be("-"+s+"="+Ct(i)));for(let[s,i]of[["tagro\
ot",n],["tagleaf",r]])i&&!i.includes(",")&&l.push(be("-"+s+"="+i));return a&&l.push(be("-diff_base="+a)),l.push(be(o)),l.
join(" ")}function Ft({type:e,filters:t}){let n=new URLSearchParams;for(let[r,o]of[["f",t.focus],["i",t.ignore],["sf",t.
from]])o.trim()&&n.set(r,Ct(o));return e&&n.set("si",e),n.size?"?"+n:""}document.documentElement.classList.add("js");I.start();var B=JSON.parse(document.getElementById("data").textContent),ye=[
"focus","ignore","from"],we=e=>document.querySelector("[data-filter="+e+"]"),$e=document.querySelector(".stage"),ae=document.
getElementById("keys"),Qe="",le,ie=(B.flame.graphs?.length??1)-1;function Ht(){return Object.fromEntries(ye.map(e=>[e,we(
e).value]))}function It(){let e=ye.map(t=>[t,Ae(B.flame,we(t).value)]);return e.some(([,t])=>t)?Object.fromEntries(e):null}
function Xe(){let e=z.state(),{types:t,default:n}=B.flame.graphs[e.graph],r=new URLSearchParams;for(let[o,a,l]of[["file",
B.file,""],["base",B.base,""],["tagroot",B.tagroot,""],["tagleaf",B.tagleaf,""],["diff",e.graph===ie?"":"off",""],["type",
e.type,t[n].name],["view",e.view,"graph"],["fn",e.fn,""],["zoom",e.zoom.toString(16),"0"],["at",e.at.toString(16),"0"],[
"q",e.find,""],...Object.entries(Ht()).map(([s,i])=>[s,i.trim(),""]),["sort",le.state().sort,"flat"],["open",le.state().
open,""]])a!==l&&r.set(o,a);return ve.part.write(r),location.pathname+"?"+r.toString().replaceAll("%2F","/").replaceAll(
"%2C",",")}function Dt(){let e=new URLSearchParams(location.search);for(let n of ye)we(n).value=e.get(n)??"";ve.part.read(
e),le.restore({sort:e.get("sort"),open:e.get("open")??""});let t=n=>Number.parseInt(e.get(n)??"0",16)||0;z.restore({graph:e.
get("diff")==="off"?0:ie,type:e.get("type")??"",view:e.get("view")??"graph",fn:e.get("fn")??"",zoom:t("zoom"),at:t("at"),
find:e.get("q")??"",filter:It()}),Qe=Xe(),Pt()}function ke(e){let t=Xe();if(t!==Qe){let n=history.state?.depth??0;e?history.
pushState({depth:n+1},"",t):history.replaceState({depth:n},"",t),Qe=t}Pt()}function Pt(){le.refresh();let e=z.state(),{types:t,
default:n}=B.flame.graphs[0],r=e.graph===0?e.type:t[n].name,o={type:t.length>1?r:"",filters:Ht(),tagroot:B.tagroot,tagleaf:B.
tagleaf,file:location.origin+B.download,base:ie>0&&e.graph===ie?location.origin+B.base_download:""};document.getElementById(
"pprof").textContent=Rt(o),gn(),document.getElementById("pprof-pages").search=Ft(o)}function gn(){for(let e of document.
querySelectorAll(".tags a")){let t=new URLSearchParams(e.search),n=new URLSearchParams(new URL(Xe(),location.href).search);
for(let r of["tagroot","tagleaf"])n.delete(r);for(let r of["zoom","at","unfold","fold"])n.delete(r);for(let r of["tagroo\
t","tagleaf"])t.get(r)&&n.set(r,t.get(r));e.search=n.toString().replaceAll("%2F","/")}}function Ye(e){z.restore({...z.state(),
filter:It(),...e}),ke(!0)}function bn(){for(let e of ye)we(e).value="";Ye({view:"graph",fn:"",zoom:0,at:0,find:"",filter:null})}
function yn(){if(ie>0){Ye({graph:ie-z.state().graph,type:""});return}let e=document.querySelector("#compare summary");e&&
(e.parentElement.open=!0,e.focus())}async function wn(){let e=le.focusedName()||z.selectedName(),t=document.getElementById(
"said");try{await navigator.clipboard.writeText(e||location.href),t.textContent=e?"Copied the function’s name.":"Copie\
d the address of this view."}catch{t.textContent="The browser does not let this page copy."}}var En={"/":()=>document.querySelector(
".find input").focus(),"?":()=>ae.showModal(),Backspace:()=>{history.state?.depth>0&&history.back()},c:wn,d:yn};function Tn(e){
let t=e.target;if(e.ctrlKey||e.metaKey||e.altKey||ae.open)return;let n=t.matches("input, select, textarea"),r=t===document.
body||ae.contains(t),o=e.key==="Escape"?bn:n?null:En[e.key];o?(e.preventDefault(),e.stopPropagation(),o(),e.key==="Escap\
e"&&$e.focus({preventScroll:!0})):r&&/^(Arrow|Enter|Home)/.test(e.key)&&($e.focus({preventScroll:!0}),z.keys(e))}if(B.flame.
graphs?.length){$e.setAttribute("aria-label","Flame graph. Arrow keys move, Enter zooms in, Backspace goes back, Escape \
resets."),le=vt(document.getElementById("function-table"),document.getElementById("row-said"),B.flame,{shown:z.shownFunctions,
show:kt,changed:ke}),z.start(B.flame,ke),ve.start(ke),Dt(),history.replaceState({depth:history.state?.depth??0},"",location.
href),addEventListener("popstate",Dt);for(let e of ye)we(e).addEventListener("change",()=>Ye({}));document.addEventListener(
"keydown",Tn,!0);for(let e of document.querySelectorAll("[data-keys]"))e.addEventListener("click",()=>ae.showModal());ae.
querySelector("button").addEventListener("click",()=>ae.close())}Je();})();

// Made of app/report/web/comparison.ts by `make web`.
"use strict";(()=>{function Ke(){for(let e of document.querySelectorAll("[data-copy]"))e.addEventListener("click",async()=>{let t=document.
getElementById(e.dataset.copy);try{await navigator.clipboard.writeText(t.textContent),e.textContent="Copied"}catch{getSelection().
selectAllChildren(t),e.textContent="Selected"}})}var I=(()=>{let e=document.documentElement,t=matchMedia("(prefers-color-scheme: dark)"),n=[],r=document.createElement("s\
pan");r.hidden=!0,document.body.append(r);let o="",a=!1,l=()=>!a&&(o?o==="dark":t.matches);function s(){e.style.colorScheme=
a?"light":o;let f=document.getElementById("theme");f.textContent=l()?"Light":"Dark";for(let b of n)b()}function i(){document.
getElementById("theme").addEventListener("click",()=>{o=l()?"light":"dark",s()}),t.addEventListener("change",s),addEventListener(
"beforeprint",()=>{a=!0,s()}),addEventListener("afterprint",()=>{a=!1,s()}),s()}function c(f){return r.style.color="var(\
--"+f+")",getComputedStyle(r).color}function m(f){return getComputedStyle(e).getPropertyValue("--"+f).trim()}return{start:i,
color:c,font:m,onChange:f=>n.push(f)}})();var q=["user","dependency","std","runtime","label"],xe=q.indexOf("label"),Te="↳ ",F=19,je=.5,ie=4;function Ft(){return{
owner:q.map(e=>I.color("f-"+e)),text:I.color("f-text"),rest:I.color("f-rest"),match:I.color("f-match"),mark:I.color("f-m\
ark"),markText:I.color("f-mark-text"),more:[1,2,3].map(e=>I.color("f-more"+e)),less:[1,2,3].map(e=>I.color("f-less"+e)),
none:I.color("f-none"),ground:I.color("raised"),focus:I.color("text"),muted:I.color("muted")}}function Se(e){let t=e.search(
/[[(]/);return e.slice(e.lastIndexOf("/",t<0?e.length:t)+1)}function Y(e,t){return t>=0&&e.funcs[t][2]===xe}function Q(e,t){
return Y(e,t)?e.funcs[t][0]:Se(e.funcs[t][0])}function Dt(e,t,n){let r=e.depth[t];for(let o=t;o<e.end[t];){if(e.total[o]*
n<je){o=e.end[o];continue}e.depth[o]>r&&(r=e.depth[o]),o++}return r+1}function We(e,t){let n=e.map(({tree:o,zoom:a})=>Dt(
o,a,o.total[a]>0?t/o.total[a]:0));if(e.length===1)return Math.max(n[0],3);let r=n[1]-1;for(let o of e)o.base=r*F;return Math.
max(r+n[0],3)}function Me(e,t,n,r){let o=Math.floor((r+t.top-e[0].base)/F),a=o<0?1:0,{tree:l,zoom:s}=e[a],i=Math.abs(o);
if(i<l.depth[s]){let m=s;for(;m>=0&&l.depth[m]>i;)m=l.parent[m];return[a,m]}let c=l.x[s]+n/t.width*l.total[s];for(let m=s;m<
l.end[s];){if(c<l.x[m]||c>=l.x[m]+l.total[m]){m=l.end[m];continue}if(l.depth[m]===i)return[a,m];m++}return[a,-1]}function Ge(e,t,n){
let{tree:r,zoom:o,width:a,height:l,top:s,base:i,dir:c,from:m}=t,f=Ft(),b=r.total[o]>0?a/r.total[o]:0,E=new Float64Array(
4096).fill(-1);e.font="11.5px "+I.font("mono"),e.textBaseline="middle";let S=e.measureText("m").width,w={ctx:e,c:f,glyph:S,
view:t,data:n,t:r};for(let T=r.parent[o];T>=0;T=r.parent[T])qe(w,T,0,r.depth[T]*F-s,a,!0);for(let T=o;T<r.end[o];){let H=i+
c*r.depth[T]*F-s,R=r.total[T]*b;if((c>0?H>l:H<-F)||R===0){T=r.end[T];continue}if(r.depth[T]<m){T++;continue}let L=(r.x[T]-
r.x[o])*b;if(R<je){let z=Math.floor(L);H>-F&&H<l&&E[r.depth[T]]<z&&(e.fillStyle=f.rest,e.fillRect(z,H,1,F-1),E[r.depth[T]]=
z),T=r.end[T];continue}H>-F&&H<l&&qe(w,T,L,H,R,!1),T++}}function Ht(e,t,n,r){if(!t.change)return r<0?e.rest:e.owner[r];let o=Ue(
t.change[n]);return o>0?e.more[o-1]:o<0?e.less[-o-1]:e.none}function qe({ctx:e,c:t,glyph:n,view:r,data:o,t:a},l,s,i,c,m){
let f=a.fn[l],b=f<0?-1:o.funcs[f][2],E=r.match&&f>=0&&r.match.has(f),S=m||r.match&&!E;e.globalAlpha=S?.4:a.change?1:[1,.86,
.93][f<0?0:f%3],e.fillStyle=E?t.match:Ht(t,a,l,b);let w=c>3?1:0;e.fillRect(s,i,c-w,F-1),E&&(e.fillStyle=t.text,e.fillRect(
s,i+F-3,c-w,2)),e.globalAlpha=m?.75:1;let T=s+ie,H=f<0?void 0:r.marks.get(f);H&&(T=It(e,t,H,s,i,c-w,n));let R=a.change?Ve(
a.change[l]):"",L=a.line[l]<0?Te:"";Nt(e,R+L+(f<0?"all":Q(o,f)),t.text,T,i,s+c-ie,n),e.globalAlpha=1,(l===r.selected||l===
r.hover)&&(e.strokeStyle=t.focus,e.lineWidth=l===r.selected?2:1,e.strokeRect(s+1,i+1,Math.max(c-w-2,1),F-3))}function It(e,t,n,r,o,a,l){
if(e.fillStyle=t.mark,a<5)return e.fillRect(r,o,a,F-1),r+ie;e.strokeStyle=t.mark,e.lineWidth=2,e.strokeRect(r+1,o+1,a-2,
F-3);let s=n.join(" "),i=s.length*l+8;return i>a?r+ie:(e.fillRect(r,o,i,F-1),e.fillStyle=t.markText,e.fillText(s,r+4,o+F/
2),r+i+ie)}function Nt(e,t,n,r,o,a,l){let s=Math.floor((a-Math.max(r,0))/l);s<2||(e.fillStyle=n,e.fillText(t.length<=s?t:
t.slice(0,s-1)+"…",Math.max(r,0),o+F/2))}function de(e,t){let n=(e.fn??[]).length+1,r={n,graph:e,funcs:t,fn:new Int32Array(n),line:new Int32Array(n),depth:new Int32Array(
n),parent:new Int32Array(n),end:new Int32Array(n),self:new Float64Array(n),total:new Float64Array(n),x:new Float64Array(
n)};r.fn[0]=-1,r.parent[0]=-1;for(let o=1;o<n;o++){r.fn[o]=e.fn[o-1],r.line[o]=e.line[o-1];let a=o-1;for(let l=e.up[o-1];l>
0;l--)a=r.parent[a];r.parent[o]=a,r.depth[o]=r.depth[a]+1}return Le(r),r}function Le(e){for(let t=e.n-1;t>=0;t--)e.end[t]=
Math.max(e.end[t],t+1),t>0&&(e.end[e.parent[t]]=Math.max(e.end[e.parent[t]],e.end[t]))}function Ae(e,t){let{self:n,total:r,
x:o,parent:a,n:l}=e;n.set(e.graph.self[t]),r.set(e.graph.self[t]);for(let[i,c]of e.graph.cut[t])r[i]+=c;for(let i=l-1;i>
0;i--)r[a[i]]+=r[i];let s=new Float64Array(l);for(let i=1;i<l;i++){let c=a[i];o[i]=o[c]+s[c],s[c]+=r[i]}e.type=e.graph.types[t],
e.whole=e.graph.wholes?.[t],e.graph.diff&&!e.change&&Xe(e)}function _e(e,t){let n=0,r=0,o=0;for(let a=1;a<e.n;a++)t(e.fn[a])&&
(e.total[a]>0&&n++,a>=o&&(r+=e.total[a],o=e.end[a]));return{frames:n,sum:r}}function $e(e,t){let n=t.length-1,r=-1;for(let o=1;o<
e.n;o++){if(e.fn[o]!==t[n]||r>=0&&e.total[o]<=e.total[r])continue;let a=n;for(let l=e.parent[o];a>0&&l>0&&e.fn[l]===t[a-
1];l=e.parent[l])a--;a===0&&(r=o)}return r}function ce(e,t,n){let r=e.parent[t];if(r<0)return t;let o=t,a=!1;for(let l=r+
1;l<e.end[r];l=e.end[l])if(e.total[l]!==0){if(n>0&&a)return l;if(l===t){if(n<0)return o;a=!0}o=l}return t}function ge(e,t){
let n=t;for(let r=t+1;r<e.end[t];r=e.end[r])e.total[r]>0&&(n===t||e.total[r]>e.total[n])&&(n=r);return n}var Ye=[[1099511627776," TiB",1],[1073741824," GiB",1],[1048576," MiB",1],[1024," KiB",1],[1," B",0]],Ot=[[86400," days",
2],[3600," h",2],[60," min",10],[1," s",1],[.001," ms",1],[1e-6," µs",1],[1e-9," ns",0]],Pt=[[1e12," T",1],[1e9," G",1],
[1e6," M",1],[1e3," k",0]];function Je(e){return Number(e.toPrecision(3))}function Qe(e){return e.replace(/\.?0+(e|$)/,"\
$1")}function J(e){if(e<0)return"−"+J(-e);if(e===0)return"0";if(e<5e-7)return"<0.000001";if(e>=1e15)return Qe(e.toExponential(
2));if(e>=99.95)return e.toFixed(0).replace(/\B(?=(\d{3})+$)/g,",");let t=2-Math.floor(Math.log10(Je(e))+1e-9),n=e.toFixed(
Math.min(t,6));return n.includes(".")?Qe(n):n}function Bt(e){return Math.abs(e)<1?Number(e.toPrecision(2)):Math.round(10*
e)/10}function ue(e,t){if(e<0)return"−"+ue(-e,t);for(let[n,r,o]of t)if(e>0?Je(e/n)>=o:n===1)return J(e/n)+r;return J(e)}
function be(e){return e<0?"−"+be(-e):Math.round(e)<1e4?J(e):ue(e,Pt)}function zt(e,t){switch(t){case"bytes":return ue(
e,Ye);case"bytes/s":return ue(e,Ye)+"/s";case"seconds":return ue(e,Ot);case"share":return J(Bt(100*e))+" %";case"cores":
return J(e)==="1"?"1 core":J(e)+" cores";case"1/s":return be(e)+"/s";case"count":case"":return be(e)}return be(e)+" "+t}
function K(e,t){return e==null||!Number.isFinite(e)?"–":zt(e,t).replaceAll(" "," ")}function fe(e){return K(e,"count")}
function _(e){return K(e,"share")}function re({tree:e},t,n){return e.fn[n]<0?"all":t.funcs[e.fn[n]][0]}function Kt({tree:e},t,n){let r=e.fn[n]<0?-1:t.funcs[e.
fn[n]][1];return r<0?"":t.files[r]+(e.line[n]?":"+Math.abs(e.line[n]):"")}function Z({tree:e},t){return K(t*e.type.scale,
e.type.unit)}function j({tree:e},t){let n=e.whole??e.total[0];return _(n?t/n:0)}function ve(e,t,n){let[r,o]=e.links?.[e.
funcs[t]?.[1]]??[-1,""];return r<0?"":e.folders[r]+o.replace("{}",String(Math.max(n,1)))}function Ce(e,t){let n=document.
createElement("a");return n.href=e,n.rel="noopener noreferrer",n.textContent=t,n}var Re={user:"your code",dependency:"a \
dependency",std:"the standard library",runtime:"the runtime",label:"the value of a label"};function Ze(e,t,n){let r=e.tree.
fn[n],o=e.tree.line[n]<0?"inlined":"";return r<0?"":[Re[q[t.funcs[r][2]]],Kt(e,t,n),o].filter(Boolean).join(" · ")}function ke(e,t,n){
let r=e.tree,o=r.change?[re(e,t,n),Ze(e,t,n),...De(r,n)]:[re(e,t,n),Ze(e,t,n),Z(e,r.total[n])+" total, "+j(e,r.total[n])+
" · "+Z(e,r.self[n])+" self, "+j(e,r.self[n])],a=r.parent[n];a>0&&r.total[a]>0&&o.push(_(r.total[n]/r.total[a])+" of "+
Q(t,r.fn[a]));let l=(t.marks??[]).filter(s=>s.fn===r.fn[n]);return{lines:o,findings:[...new Set(l.map(s=>s.id+": "+t.findings[s.
finding]))]}}function Fe(e,t,n=0,r=0){if(e.hidden=!t,!t)return;let{lines:o,findings:a}=t;e.replaceChildren(...[...o,...a].
map((s,i)=>{let c=document.createElement("div");return c.textContent=s,i>=o.length&&(c.className="finding-line"),c}));let l=e.
getBoundingClientRect();e.style.left=Math.max(8,Math.min(n+14,innerWidth-l.width-8))+"px",e.style.top=(r+18+l.height>innerHeight?
Math.max(8,r-l.height-12):r+18)+"px"}function et(e,t){let n=e.tree,r=[],{match:o}=e;if(o){let a=_e(n,l=>o.has(l));r.push(
a.frames?["Found ",j(e,a.sum)," ("+Z(e,a.sum)+") in "+fe(a.frames)+" frames"]:["Found ","nothing",""])}if(e.selected>=0){
let a=ke(e,t,e.selected);r.push(["",a.lines[0]," "+[...a.lines.slice(1,n.change?4:3),...a.findings].filter(Boolean).join(
" · "),ve(t,n.fn[e.selected],Math.abs(n.line[e.selected]))])}else if(!e.match){let a=e.zoom?" in "+re(e,t,e.zoom):"";n.
change?r.push(["",re(e,t,e.zoom),": "+De(n,e.zoom).join(" · ")]):r.push(["",Z(e,n.total[e.zoom]),(n.whole?" ("+j(e,n.total[e.
zoom])+")":"")+" of "+n.type.name+a+", "+fe(n.n-1)+" frames"])}return r.map(([a,l,s,i])=>{let c=document.createElement("\
span"),m=document.createElement("b");return m.textContent=l,c.append(a,m,s),i&&c.append(" · ",Ce(i,"source")),c})}function tt(e,t){
let n=document.createElement("button");return n.type="button",n.setAttribute("role","tab"),n.textContent=e,n.addEventListener(
"click",t),n}function $(e,t){let n=document.createElement("span"),r=document.createElement("span");return r.className="k\
ey "+e,n.append(r,t),n}function nt(e,t){let n=e.tree;if(n.change)return ot();let r={user:"your code",dependency:"depende\
ncies",std:"standard library",runtime:"runtime"},o=new Float64Array(q.length);for(let l=1;l<n.n;l++){let s=l;for(;Y(t,n.
fn[s])&&n.parent[s]>0;)s=n.parent[s];Y(t,n.fn[s])||(o[t.funcs[n.fn[s]][2]]+=n.self[l])}let a=q.flatMap((l,s)=>o[s]>0?[$(
l,r[l]+" "+j(e,o[s]))]:[]);return n.fn.some(l=>Y(t,l))&&a.push($("label","value of a label")),n.line.some(l=>l<0)&&a.push(
$("inlined",Te+"inlined by the compiler")),n.fn.some(l=>e.marks.has(l))&&a.push($("mark","frame of a finding")),a}function rt(e,t,n){
let r=new Set(e.tree.fn),o=new Map;for(let a of t.marks??[]){if(!r.has(a.fn))continue;let l=o.get(a.finding)??{id:a.id,fns:new Set};
l.fns.add(a.fn),o.set(a.finding,l)}return[...o].sort(([a],[l])=>a-l).map(([a,{id:l,fns:s}])=>{let i=document.createElement(
"div"),c=document.createElement("a");return i.setAttribute("role","group"),i.setAttribute("aria-label",l+": "+t.findings[a]),
c.href=(t.page??"")+"#finding-"+a,c.title=t.findings[a],c.textContent=l,i.append(c,...[...s].map(m=>{let f=document.createElement(
"button");return f.type="button",f.title=t.funcs[m][0],f.textContent=Se(t.funcs[m][0]),f.addEventListener("click",()=>n(
m)),f})),i})}var qt=[0,.01,.05];function Xe(e){let t=n=>{let r=Float64Array.from(e.graph.self[n]);for(let[o,a]of e.graph.cut[n])r[o]+=
a;for(let o=e.n-1;o>0;o--)r[e.parent[o]]+=r[o];return r};e.sides=[t(0),t(1)],e.wholes=e.graph.wholes??[e.sides[0][0],e.sides[1][0]],
He(e)}function He(e){e.change=new Float64Array(e.n);let[t,n]=[e.sides,e.wholes],{diff:r,types:o}=e.graph,a=n[1]*o[1].scale;
for(let l=0;l<e.n;l++){let s=t[0][l]*o[0].scale-t[1][l]*o[1].scale,i=0;for(let c of[0,1])i+=r.sample[c]*t[c][l]*(1-t[c][l]/
n[c])*o[c].scale**2;Math.abs(s)>Math.max(2*Math.sqrt(Math.max(i,0)),r.noise*a)&&(e.change[l]=s/a)}}function Ue(e){let t=0;
for(let n of qt)Math.abs(e)>n&&t++;return Math.sign(e)*t}function jt(e){return(e>0?"+":"−")+_(Math.abs(e))}function Ve(e){
return e===0?"":(e>0?"▲":"▼")+_(Math.abs(e)).replace(" ","")+" "}function De(e,t){let{types:n}=e.graph,r=e.sides[1][t]*
n[1].scale,o=e.sides[0][t]*n[0].scale,a=n[0].unit,l=o-r,s=e.wholes[1]*n[1].scale;return[K(r,a)+" "+n[1].name+", "+K(o,a)+
" "+n[0].name,e.change[t]===0?"no change beyond sampling error and noise":(l>0?"+":"")+K(l,a)+", "+jt(l/s)+" of total "+
n[1].name]}function ot(){let e=["below 1 %","1 to 5 %","above 5 %"];return[...e.map((t,n)=>$("more"+(n+1),"▲ more, "+t)),
...e.map((t,n)=>$("less"+(n+1),"▼ less, "+t)),$("none","no change beyond sampling error and noise")]}function ye(e,t){return e.sides?e.sides.some(n=>n[t]>0):e.total[t]>0}function Wt(e){let t=new Set;for(let n=1;n<e.n;n++)
e.parent[n]>0&&ye(e,n)&&t.add(e.fn[e.parent[n]]);return t}function at(e){let{types:t}=e.graph,n=s=>{let{self:i,total:c}=oe(
e.sides?{...e,self:e.graph.self[s],total:e.sides[s]}:e),m=e.sides?t[s].scale:e.type.scale;return{flat:i.map(f=>f*m),cum:c.
map(f=>f*m)}},r=Wt(e),o=n(0),a=e.sides?n(1):null,l=[];return o.cum.forEach((s,i)=>{let c={fn:i,path:[i],calls:r.has(i),flat:o.
flat[i],cum:s};a&&Object.assign(c,{flatChange:c.flat-a.flat[i],cumChange:s-a.cum[i]}),(s>0||a&&a.cum[i]>0)&&l.push(c)}),
l}function st(e,t){let n=[];for(let r=t+1;r<e.end[t];r=e.end[r])ye(e,r)&&n.push(r);return n}function lt(e,t){let n=t.tree??
me(e,t.fn),{types:r}=n.graph;return st(n,t.node??0).map(o=>{let a=i=>({flat:n.selves[i][o]*r[i].scale,cum:n.sides[i][o]*
r[i].scale}),l=n.sides?a(0):{flat:n.self[o]*n.type.scale,cum:n.total[o]*n.type.scale};if(n.sides){let i=a(1);Object.assign(
l,{flatChange:l.flat-i.flat,cumChange:l.cum-i.cum})}let s=n.fn[o];return{...l,fn:s,path:[...t.path,s],tree:n,node:o,calls:st(
n,o).length>0}})}function Ie(e,t){let n=t==="flat"?"cum":"flat",r=(o,a)=>Math.abs(o[`${a}Change`]??o[a]);return e.sort((o,a)=>r(
a,t)-r(o,t)||r(a,n)-r(o,n)||o.fn-a.fn)}function Gt(e,t){return e===0?"0":(e>0?"+":"")+K(e,t)}function it(e){let{unit:t}=e.
sides?e.graph.types[0]:e.type,n=(e.whole??e.total[0])*e.type.scale;return["flat","cum"].flatMap(r=>[[r,r==="flat"?"Flat":
"Cum",o=>K(o[r],t)],e.sides?["","change",o=>Gt(o[`${r}Change`],t)]:["","share",o=>_(n?o[r]/n:0)]])}function we(e,t){let n=[];for(let r=1;r<e.n;){if(e.fn[r]!==t){r++;continue}ye(e,r)&&n.push(r),r=e.end[r]}return n}function ct(e,t){
let n=e.sides??[],r={parent:[-1],fn:[t],self:[0],total:[0],line:[0],most:[0],sides:n.map(()=>[0]),selves:n.map(()=>[0])},
o=new Map,a=e.funcs;function l(i,c){let m=i*a+c,f=o.get(m);if(f===void 0){f=r.fn.length,o.set(m,f),r.parent.push(i),r.fn.
push(c),r.self.push(0),r.total.push(0),r.line.push(0),r.most.push(0);for(let b of[...r.sides,...r.selves])b.push(0)}return f}
function s(i,c,m=c){r.total[i]+=e.total[c],e.total[m]>r.most[i]&&(r.most[i]=e.total[m],r.line[i]=e.line[m]),r.sides.forEach(
(f,b)=>{f[i]+=n[b][c]})}return{nodes:r,step:l,add:s}}function me(e,t){let{nodes:n,step:r,add:o}=ct(e,t),a=[0];for(let l of we(
e,t))for(let s=l;s<e.end[l];s++){let i=e.depth[s]-e.depth[l];i>0&&(a[i]=r(a[i-1],e.fn[s])),o(a[i],s),n.self[a[i]]+=e.self[s],
n.selves.forEach((c,m)=>{c[a[i]]+=e.graph.self[m][s]})}return ft(e,n)}function ut(e,t){let{nodes:n,step:r,add:o}=ct(e,t);
for(let a of we(e,t)){let l=0;o(0,a);for(let s=e.parent[a];s>0;s=e.parent[s])l=r(l,e.fn[s]),o(l,a,s)}return ft(e,n)}function ft(e,t){
let n=t.fn.length,r=Array.from({length:n},()=>[]);for(let s=1;s<n;s++)r[t.parent[s]].push(s);let o={n,graph:e.graph,type:e.
type,whole:e.whole??e.total[0],funcs:e.funcs,fn:new Int32Array(n),line:new Int32Array(n),depth:new Int32Array(n),parent:new Int32Array(
n),end:new Int32Array(n),self:new Float64Array(n),total:new Float64Array(n),x:new Float64Array(n)};e.sides&&(o.sides=e.sides.
map(()=>new Float64Array(n)),o.selves=e.sides.map(()=>new Float64Array(n)),o.wholes=e.wholes);let a=[[0,-1,0,0]],l=0;for(;a.
length;){let[s,i,c,m]=a.pop(),f=l++;o.fn[f]=t.fn[s],o.parent[f]=i,o.depth[f]=c,o.x[f]=m,o.self[f]=t.self[s],o.total[f]=t.
total[s],o.line[f]=t.line[s],o.sides?.forEach((S,w)=>{S[f]=t.sides[w][s]}),o.selves?.forEach((S,w)=>{S[f]=t.selves[w][s]});
let b=r[s].sort((S,w)=>t.total[w]-t.total[S]||t.fn[S]-t.fn[w]),E=m;for(let S of b)E+=t.total[S];for(let S of b.reverse())
E-=t.total[S],a.push([S,f,c+1,E])}return Le(o),o.sides&&He(o),o}function oe(e){let t=new Float64Array(e.funcs),n=new Float64Array(
e.funcs),r=new Int32Array(e.funcs),o=[];for(let a=1;a<e.n;a++){for(;o.length>=e.depth[a];)r[o.pop()]--;let l=e.fn[a];t[l]+=
e.self[a],r[l]===0&&(n[l]+=e.total[a]),r[l]++,o.push(l)}return{self:t,total:n}}function Ne(e,t=e.keys()){let n=-1;for(let r of t)
e[r]>(n<0?0:e[n])&&(n=r);return n}function mt(e,t){let n=t.toLowerCase().split("|").map(l=>l.trim()).filter(Boolean);if(!n.length)return null;let r=l=>n.some(
s=>l.includes(s)),o=(e.files??[]).map(l=>r(l.toLowerCase())),a=new Set;return e.funcs.forEach(([l,s],i)=>{(r(l.toLowerCase())||
o[s])&&a.add(i)}),a}function Ut(e,t){let n=new Uint8Array(e.n);for(let r=1;r<e.n;r++)n[r]=n[e.parent[r]]||t.has(e.fn[r])?
1:0;return n}function pt(e,{focus:t,ignore:n,from:r}){let[o,a,l]=[t,n,r].map(m=>m&&Ut(e,m)),s=m=>(!o||o[m])&&!(a&&a[m])&&
(!l||l[m]),i=(m,f)=>m.reduce((b,E)=>b+E,0)+e.graph.cut[f].reduce((b,[,E])=>b+E,0),c={...e.graph,wholes:e.graph.self.map(
i),lines:{fn:[],line:[],self:[],total:[]},self:e.graph.self.map(m=>m.map((f,b)=>s(b)?f:0)),cut:e.graph.cut.map(m=>m.filter(
([f])=>s(f)))};return de(l?Vt(e,c,l):c,e.funcs)}function Vt(e,t,n){let r=[{depth:0,children:new Map}],o=new Int32Array(e.
n);for(let s=1;s<e.n;s++){if(!n[s])continue;let i=r[o[e.parent[s]]];i.children.has(e.fn[s])||(i.children.set(e.fn[s],r.length),
r.push({fn:e.fn[s],line:e.line[s],depth:i.depth+1,children:new Map})),o[s]=i.children.get(e.fn[s])}let a=s=>{let i=new Array(
r.length).fill(0);return s.forEach((c,m)=>{i[o[m]]+=c}),i},l=t.cut.map(s=>s.map(([i,c])=>[o[i],c]));return _t({...t,self:t.
self.map(a),cut:l},r)}function _t(e,t){let n=[...e.self[e.default]];for(let[s,i]of e.cut[e.default])n[s]+=i;for(let s=t.
length-1;s>=0;s--)for(let i of t[s].children.values())n[s]+=n[i];let r=[],o=[0];for(;o.length;){let s=o.pop();r.push(s);
for(let i of[...t[s].children.values()].sort((c,m)=>n[c]-n[m]))o.push(i)}let a=new Int32Array(t.length);r.forEach((s,i)=>{
a[s]=i});let l=r.slice(1);return{...e,fn:l.map(s=>t[s].fn),line:l.map(s=>t[s].line),up:l.map((s,i)=>t[r[i]].depth+1-t[s].
depth),self:e.self.map(s=>r.map(i=>s[i])),cut:e.cut.map(s=>s.map(([i,c])=>[a[i],c]))}}function Oe(e,t){if(e.hashes)return e.
hashes;let n=Pe(t);e.hashes=new Uint32Array(e.n);for(let r=1;r<e.n;r++)e.hashes[r]=Be(e.hashes[e.parent[r]],n[e.fn[r]],e.
depth[r]);return e.hashes}function Pe(e){return e.hashes??=e.funcs.map(([t])=>{let n=2166136261;for(let r=0;r<t.length;r++)
n=Math.imul(n^t.charCodeAt(r),16777619);return n}),e.hashes}function Be(e,t,n){return Math.imul(e^e>>>15^t,739982445)+n}
function ze(e,t,n){return n?Math.max(Oe(e,t).indexOf(n),0):0}function $t(e,t,n){let r=e.graph.lines,o=[];if(r.fn?.forEach((s,i)=>{s===n&&o.push({line:r.line[i],self:r.self[t][i],total:r.
total[t][i]})}),o.length)return{rows:o,exact:!0};let a=new Map,l=s=>(a.has(s)||a.set(s,{line:s,self:0,total:0}),a.get(s));
for(let s of we(e,n))l(e.line[s]).total+=e.total[s];for(let s=1;s<e.n;s++)e.fn[s]===n&&(l(e.line[s]).self+=e.self[s]);return{
rows:[...a.values()].sort((s,i)=>s.line-i.line),exact:!1}}function N(e,t,n){let r=document.createElement(e);return r.append(
t),n&&(r.className=n),r}function Xt(e){let t="http://www.w3.org/2000/svg",n=document.createElementNS(t,"svg");n.setAttribute(
"class","share"),n.setAttribute("viewBox","0 0 100 6"),n.setAttribute("preserveAspectRatio","none"),n.setAttribute("aria\
-hidden","true");for(let[r,o]of[["track",100],["fill",Math.min(100*e,100)]]){let a=document.createElementNS(t,"rect");a.
setAttribute("class",r),a.setAttribute("width",String(o)),a.setAttribute("height","6"),n.append(a)}return n}function ht(e,t,n,r){
let o=e.tree,{rows:a,exact:l}=$t(o,n,r),s=document.createElement("table"),i=document.createElement("tr");for(let[b,E]of[
["Line","num"],["Self","num"],["Share","num"],["With callees","num"],["Share","num"],["",""]]){let S=N(b?"th":"td",b,E);
b&&(S.scope="col"),i.append(S)}let c=document.createElement("tbody"),m=o.whole??o.total[0];for(let b of a){let E=document.
createElement("tr"),S=ve(t,r,b.line),w=N("th",S?Ce(S,String(b.line)):b.line?String(b.line):"–","num");w.scope="row",E.
append(w,N("td",Z(e,b.self),"num"),N("td",j(e,b.self),"num"),N("td",Z(e,b.total),"num"),N("td",j(e,b.total),"num"),N("td",
Xt(m?b.total/m:0),"barcell")),c.append(E)}if(s.append(N("thead",i),c),l)return[s];let f=N("p","The page has every line o\
nly for the heaviest functions. In this function, each frame counts at its heaviest line.","note");return[s,f]}var W=(()=>{let e={width:0,height:0,top:0,match:null,marks:new Map},t=[],n=[],r=[],o,a,l,s,i,c,m,f=0,b=0,E="graph",S=-1,
w=[],T=0,H=null,R=()=>{};function L(u){return a.querySelector(u)}function z(u,p={}){return{tree:u,zoom:0,base:0,dir:1,from:0,
hover:-1,selected:-1,...p}}function U(u=T){return{...e,...w[u]}}function k(){performance.clearMeasures("flame");let u=performance.
now();if(e.width=l.clientWidth,!e.width)return;let p=We(w,e.width)*F,g=parseFloat(getComputedStyle(l).maxHeight)||p;e.height=
Math.min(p,g),L(".spacer").style.height=p-e.height+"px",e.top=Math.min(l.scrollTop,p-e.height);let y=devicePixelRatio||1,
[v,le]=[Math.round(e.width*y),Math.round(e.height*y)];(s.width!==v||s.height!==le)&&(s.width=v,s.height=le,s.style.width=
e.width+"px",s.style.height=e.height+"px"),i.setTransform(y,0,0,y,0,0),i.clearRect(0,0,e.width,e.height),w.forEach((rn,kt)=>Ge(
i,U(kt),o)),performance.measure("flame",{start:u,end:performance.now()})}function P(){m.replaceChildren(...et(U(),o)),E===
"lines"&&S>=0&&L(".lines").replaceChildren(...ht(M(),o,b,S))}function B(u){w[0].zoom=u,k(),P(),R(!0)}function O(u,p){for(let v of w)
v.selected=-1;T=u;let g=w[u];g.selected=p;let y=g.base+g.dir*g.tree.depth[p]*F;(y<l.scrollTop||y+F>l.scrollTop+e.height)&&
(l.scrollTop=y-e.height/2),k(),P(),R(!1)}function se(u){e.match=mt(o,u),E!=="graph"&&x(),k(),P(),R(!1)}function ee(){for(let u of w)
u.selected=-1;w[0].zoom=0,T=0,L("input").value="",l.scrollTop=0,R(!0),se("")}function ae(u){b=u;let p=t[f];if(Ae(p,u),E===
"graph"){let g=w[0];for(;g.zoom>0&&p.total[g.zoom]===0;)g.zoom=p.parent[g.zoom]}else h(S);L(".types select").value=String(
u),L(".legend").replaceChildren(...nt({...e,tree:p},o)),k(),P(),R(!0)}function V(u){f=u;let p=o.graphs[u];n[u]??=de(p,o.
funcs.length),t[u]??=H?pt(n[u],H):n[u],r.length=0,w=[z(t[u])],T=0,l.scrollTop=0,a.querySelectorAll(".tabs button").forEach(
(y,v)=>{y.setAttribute("aria-selected",String(v===u)),y.tabIndex=v===u?0:-1}),L(".types select").replaceChildren(...p.types.
map((y,v)=>new Option(y.name,String(v),!1,v===p.default))),L(".types").hidden=p.types.length<2,L(".marks").replaceChildren(
...rt(U(),o,A)),Ae(t[u],p.default),E!=="graph"&&(S=he()),ae(p.default)}function he(){let{self:u,total:p}=oe(t[f]);return S>=
0&&p[S]>0?S:Math.max(Ne(u),0)}function X(u){let p=w[T];p.selected>=0&&p.tree.fn[p.selected]>=0&&(S=p.tree.fn[p.selected]),
E=u,r.length=0;for(let g of a.querySelectorAll(".modes button"))g.setAttribute("aria-pressed",String(g.dataset.mode===E));
a.dataset.mode=E,L(".function").hidden=E==="graph",L(".lines").hidden=E!=="lines",l.hidden=E==="lines",L(".legend").hidden=
E==="lines",l.scrollTop=0,E==="graph"?(w=[z(t[f])],T=0):h(he()),k(),P(),R(!0)}function h(u){S=u;let p=t[f];T=0,w=E==="sa\
ndwich"?[z(me(p,u),{selected:0}),z(ut(p,u),{dir:-1,from:1})]:[z(me(p,u),{selected:0})],x(),E==="sandwich"&&(e.width=l.clientWidth,
k(),l.scrollTop=Math.max(0,w[0].base-e.height/2))}function d(u){u<0||u===S||(r.push(S),h(u),k(),P(),R(!0))}function x(){
let{self:u,total:p}=oe(t[f]),g=[...p.keys()].filter(v=>p[v]>0&&(!e.match||e.match.has(v))).sort((v,le)=>p[le]-p[v]||u[le]-
u[v]).slice(0,300);g.includes(S)||g.unshift(S);let y=v=>j(M(),p[v])+"  "+Q(o,v);L(".function select").replaceChildren(...g.
map(v=>new Option(y(v),String(v),!1,v===S)))}function M(){return{...e,tree:t[f]}}function A(...u){if(E!=="graph"){d(u.at(
-1));return}let p=t[f],g=$e(p,u);if(g<0)return;let y=g;for(;y>0&&p.total[g]/p.total[y]>.12;)y=p.parent[y];w[0].zoom=y,k(),
R(!0),O(0,g)}function C(){let{tree:u,zoom:p,selected:g}=w[0],y=g<0?p:g;return{ArrowDown:()=>O(0,g<0?p:ge(u,y)),ArrowUp:()=>{
u.parent[y]<0||(y===p&&B(u.parent[y]),O(0,u.parent[y]))},ArrowLeft:()=>{y!==p&&O(0,ce(u,y,-1))},ArrowRight:()=>{y!==p&&O(
0,ce(u,y,1))},Enter:()=>B(y),Escape:()=>{p>0?B(u.parent[p]):ee()},Home:ee}}function D(){let{tree:u,selected:p}=w[T],g=Math.
max(p,0),y=()=>O(T,ge(u,g)),v=()=>O(u.parent[g]>0?T:0,Math.max(u.parent[g],0));return{ArrowDown:T===0?y:v,ArrowUp:()=>{T===
1?y():g>0?v():w[1].tree.n>1&&O(1,ge(w[1].tree,0))},ArrowLeft:()=>O(T,ce(u,g,-1)),ArrowRight:()=>O(T,ce(u,g,1)),Enter:()=>d(
u.fn[g]),Escape:()=>te(),Home:()=>O(0,0)}}function te(){r.length?(h(r.pop()),k(),P(),R(!0)):X("graph")}function ne(u){let p=E===
"graph"?C():D();!p[u.key]||u.ctrlKey||u.metaKey||u.altKey||(u.preventDefault(),p[u.key]())}function Et(){s.addEventListener(
"pointermove",u=>{let[p,g]=Me(w,e,u.offsetX,u.offsetY);w.some((y,v)=>y.hover!==(v===p?g:-1))&&(w.forEach((y,v)=>{y.hover=
v===p?g:-1}),k()),u.pointerType==="mouse"&&Fe(c,g<0?null:ke(U(p),o,g),u.clientX,u.clientY)}),s.addEventListener("pointer\
leave",()=>{for(let u of w)u.hover=-1;Fe(c,null),k()}),s.addEventListener("click",u=>{let[p,g]=Me(w,e,u.offsetX,u.offsetY);
if(!(g<0)){if(E==="sandwich"){d(w[p].tree.fn[g]);return}w[0].selected=g,B(g)}})}function xt(){let u=L(".tabs");u.replaceChildren(
...o.graphs.map((p,g)=>tt(p.title,()=>V(g)))),u.addEventListener("keydown",p=>{let g={ArrowRight:1,ArrowLeft:-1}[p.key];
g&&(V((f+g+o.graphs.length)%o.graphs.length),u.children[f].focus())})}function Tt(u,p){if(a=document.getElementById("fla\
me"),!(!a||!u.graphs?.length)){o=u,l=L(".stage"),s=l.querySelector("canvas"),i=s.getContext("2d"),c=L(".tip"),m=L(".stat\
us");for(let g of o.marks??[]){let y=e.marks.get(g.fn)??[];e.marks.set(g.fn,y.includes(g.id)?y:[...y,g.id])}xt(),Et(),l.
addEventListener("keydown",ne),l.addEventListener("scroll",k);for(let g of a.querySelectorAll(".modes button"))g.addEventListener(
"click",()=>X(g.dataset.mode));L(".types select").addEventListener("change",g=>ae(Number(g.target.value))),L(".function \
select").addEventListener("change",g=>d(Number(g.target.value))),L("input").addEventListener("input",g=>se(g.target.value)),
L("input").addEventListener("keydown",St),L(".reset").addEventListener("click",ee),V(o.marks?.[0]?.graph??0),p&&(R=p),new ResizeObserver(
k).observe(a),I.onChange(k)}}function St(u){if(u.key!=="Enter"||!e.match?.size)return;let{total:p}=oe(t[f]),g=Ne(p,e.match);
g>=0&&A(g)}function Mt(u){let p=o.marks[u];E!=="graph"&&X("graph"),f!==p.graph&&V(p.graph),A(p.fn),a.scrollIntoView({block:"\
start"}),l.focus({preventScroll:!0})}function Lt(u){f!==u&&V(u),l.focus({preventScroll:!0})}function At(){let{zoom:u,selected:p}=w[0],
g=y=>E==="graph"&&y>0?Oe(t[f],o)[y]:0;return{graph:f,type:o.graphs[f].types[b].name,view:E,zoom:g(u),at:g(p),fn:E==="gra\
ph"?"":o.funcs[S]?.[0]??"",find:L("input").value}}function vt(u){let p=R;R=()=>{},H=u.filter,t.length=0,V(Math.min(u.graph,
o.graphs.length-1)),E!=="graph"&&X("graph");let g=o.graphs[f].types.findIndex(y=>y.name===u.type);if(g>=0&&g!==b&&ae(g),
L("input").value=u.find,se(u.find),u.view==="sandwich"||u.view==="lines")S=o.funcs.findIndex(([y])=>y===u.fn),X(u.view);else{
w[0].zoom=ze(t[f],o,u.zoom),k();let y=ze(t[f],o,u.at);y>0?O(0,y):P()}R=p}function Ct(){return{tree:t[f],column:b,match:e.
match}}function Rt(){let u=w[T];return u.selected>0||E!=="graph"&&u.selected===0?re(U(),o,u.selected):""}return{start:Tt,
showMark:Mt,showGraph:Lt,reset:ee,state:At,restore:vt,shownFunctions:Ct,selectedName:Rt,jump:A,keys:ne}})();var dt=[["graph","graph"],["type","type"],["view","view"],["fn","fn"],["zoom","zoom"],["at","at"],["q","find"]];function gt(){
let e=W.state();return{write:t=>{let n=W.state();for(let[r,o]of dt)n[o]!==e[o]&&t.set(r,String(n[o]))},read:t=>{let n=(r,o)=>Number(
t.get(r)??o)||0;W.restore({graph:Math.max(0,Math.trunc(n("graph",e.graph))),type:t.get("type")??e.type,view:t.get("view")??
e.view,fn:t.get("fn")??"",zoom:n("zoom",0),at:n("at",0),find:t.get("q")??"",filter:null})}}}var bt=e=>dt.some(([t])=>e.has(
t));var pe=(()=>{let e=[],t="",n=!1,r=!1,o=()=>{};function a(){let c=new URLSearchParams;for(let m of e)m.write(c);return c.
size?"#~"+c.toString().replaceAll("%2C",","):""}function l(c){r||=c,!n&&(n=!0,queueMicrotask(()=>{let m=a();if(m!==t){let f=new URL(
location.href);f.hash=m,r?history.pushState({view:m},"",f):history.replaceState({view:m},"",f),t=m}n=r=!1}))}function s(){
let c=location.hash&&!location.hash.startsWith("#~")?location.hash.slice(1):"",m=history.state?.view;if(c&&typeof m!="st\
ring"){o(c),t=a(),history.replaceState({view:t},"");return}let f=c?String(m):location.hash;if(f===t)return;let b=new URLSearchParams(
f.slice(2));for(let E of e)E.read(b);t=a()}function i(c,m){return e=c,m&&(o=m),addEventListener("popstate",s),addEventListener(
"hashchange",s),s(),new URLSearchParams(t.slice(2))}return{start:i,changed:l}})();var Yt=50,Ee=(()=>{let e=new Map,t=new Map,n=!1;function r(s){if(s.id)return s.id;let i=s.closest("[id]")??document.body,
c=[...i.querySelectorAll("details:not([id])")].filter(m=>(m.closest("[id]")??document.body)===i);return i.id+"."+c.indexOf(
s)}function o(s=pe.changed){for(let c of document.querySelectorAll("details"))e.set(c,c.open),t.set(r(c),c);document.addEventListener(
"toggle",()=>{n||s(!0)},!0);let i=[];addEventListener("beforeprint",()=>{n=!0,i=[...document.querySelectorAll("details.f\
inding:not([open])")];for(let c of i)c.open=!0}),addEventListener("afterprint",()=>{for(let c of i)c.open=!1;n=!1})}let a={
write:s=>{let i=[...t].filter(([,c])=>c.open!==e.get(c));for(let[c,m]of[["unfold",!0],["fold",!1]]){let f=i.filter(([,b])=>b.
open===m).map(([b])=>b).slice(0,Yt);f.length&&s.set(c,f.join(","))}},read:s=>{let i=f=>new Set((s.get(f)??"").split(",")),
c=i("unfold"),m=i("fold");for(let[f,b]of t)b.open=c.has(f)||e.get(b)&&!m.has(f)}};function l(s){let i=document.getElementById(
s),c=i?.closest("details");!c||c.open||(c.open=!0,i.scrollIntoView())}return{start:o,part:a,follow:l}})();var Qt=50;function Jt(e,t,n,{shown:r,show:o,changed:a}){let l=new Set,s=new WeakMap,i="flat",c=30,m=[],f,b;function E(){
let h=r(),d=[h.tree,h.column,h.match,i,c];if(d.every((C,D)=>C===m[D]))return;m=d,f=h.tree,b=it(f);let x=s.get(P(document.
activeElement))?.key,M=Ie(at(f).filter(C=>!h.match||h.match.has(C.fn)),i);e.replaceChildren(...M.length?S(M):[N("p","No \
function matches.","empty")]);let A=k();A.length&&(A[0].tabIndex=0),x!==void 0&&B(A.find(C=>s.get(C).key===x)??A[0])}function S(h){
let d=G("table","treegrid","cards functions");d.setAttribute("aria-label","Functions"),d.setAttribute("aria-describedby",
"functions-how");let x=G("thead","rowgroup");x.append(w());let M=G("tbody","rowgroup");if(M.append(...h.slice(0,c).flatMap(
(C,D)=>T(C,D,h.length))),d.append(x,M),h.length<=c)return[d];let A=N("button","Show more: "+fe(h.length-c)+" functions a\
re left","quiet more");return A.type="button",A.addEventListener("click",()=>{let C=c;c+=200,a(!1),B(k().filter(D=>D.ariaLevel===
"1")[C])}),[d,A]}function w(){let h=G("tr","row"),d=G("th","columnheader");return d.scope="col",d.append("Function"),h.append(
d,...b.map(([x,M])=>{let A=G("th","columnheader","num");if(A.scope="col",!x)return A.append(M),A;let C=N("button",M+(x===
i?" ▾":""),"link");return C.type="button",C.dataset.sort=x,C.addEventListener("click",()=>{i=x,a(!0),e.querySelector("\
[data-sort="+x+"]")?.focus()}),x===i&&A.setAttribute("aria-sort","descending"),A.append(C),A})),h}function T(h,d,x){h.key=
Zt(n,h.path);let M=G("tr","row");return s.set(M,h),M.tabIndex=-1,M.setAttribute("aria-level",String(h.path.length)),M.setAttribute(
"aria-posinset",String(d+1)),M.setAttribute("aria-setsize",String(x)),h.calls&&M.setAttribute("aria-expanded",String(l.has(
h.key))),M.append(R(M,h),...b.map(([A,C,D],te)=>{let ne=G("td","gridcell","num");return ne.append(D(h)),ne.dataset.label=
A?C.toLowerCase():b[te-1][1].toLowerCase()+" "+C,ne})),h.calls&&l.has(h.key)?[M,...H(h)]:[M]}function H(h){let d=Ie(lt(f,
h),i);return d.flatMap((x,M)=>T(x,M,d.length))}function R(h,d){let x=G("th","rowheader");x.scope="row";let M=N("span",d.
calls?l.has(d.key)?"▾":"▸":"","twist");M.setAttribute("aria-hidden","true"),M.addEventListener("click",()=>{d.calls&&
O(h)});let A=N("button",n.funcs[d.fn][0],"link symbol");A.type="button",A.tabIndex=-1,A.addEventListener("click",()=>o(d.
path));let C=N("div",A);C.append(N("span",[...L(d.fn),...z(d.fn)].join(" · "),"sub"));let D=N("div",M,"tree");return D.
style.setProperty("--above",String(d.path.length-1)),D.append(C),x.append(D),x}function L(h){let[,d,x]=n.funcs[h];return x===
xe?[q[x],n.files[d]]:[q[x],...d<0?[]:[n.files[d].split("/").slice(-2).join("/")]]}function z(h){return[...new Set((n.marks??
[]).filter(d=>d.fn===h).map(d=>d.id))]}function U(h,d){let x=b.map(([,,D])=>D(d)),M=d.path.slice(0,-1).map(D=>Q(n,D)).reverse(),
A=z(d.fn),C=d.calls?h.ariaExpanded==="true"?"What it calls is open":"Right shows what it calls":"It calls nothing that w\
as counted";return[n.funcs[d.fn][0]+(M.length?", called by "+M.join(", by "):""),[["itself",0],["with what it calls",2]].
map(([D,te])=>x[te]+" "+D+", "+x[te+1]+(f.sides?" against the base":" of all")).join("; "),(Y(n,d.fn)?"It is ":"In ")+[Re[q[n.
funcs[d.fn][2]]],...L(d.fn).slice(1)].join(", "),...A.length?["A place of "+A.join(", ")]:[],C].join(". ")+"."}function k(){
return[...e.querySelectorAll("tbody tr")]}function P(h){return h&&e.contains(h)?h.closest("tbody tr"):null}function B(h){
h?.focus()}function O(h){let d=s.get(h),x=!l.delete(d.key);if(x)l.add(d.key),h.after(...H(d));else for(;Number(h.nextElementSibling?.
ariaLevel)>d.path.length;)h.nextElementSibling.remove();h.setAttribute("aria-expanded",String(x)),h.querySelector(".twis\
t").textContent=x?"▾":"▸",P(document.activeElement)===h?t.textContent=U(h,d):e.querySelector('tbody tr[tabindex="0"]')||
(h.tabIndex=0),a(!1)}function se(h){let d=h.previousElementSibling;for(;d&&Number(d.ariaLevel)>=Number(h.ariaLevel);)d=d.
previousElementSibling;return d}function ee(h){let d=P(h.target);if(!d||h.ctrlKey||h.metaKey||h.altKey)return;let x=d.ariaExpanded,
M={ArrowDown:()=>B(d.nextElementSibling),ArrowUp:()=>B(d.previousElementSibling),ArrowRight:()=>{x==="true"?B(d.nextElementSibling):
x&&O(d)},ArrowLeft:()=>{x==="true"?O(d):B(se(d))},Home:()=>B(k()[0]),End:()=>B(k().at(-1)),Enter:()=>o(s.get(d).path)}[h.
key];M&&(h.preventDefault(),h.stopPropagation(),M())}function ae(h){let d=P(h.target);if(!d)return;for(let M of e.querySelectorAll(
'tbody tr[tabindex="0"]'))M.tabIndex=-1;d.tabIndex=0;let x=U(d,s.get(d));t.textContent!==x&&(t.textContent=x)}e.addEventListener(
"keydown",ee),e.addEventListener("focusin",ae);function V(){return{sort:i,open:[...l].slice(-Qt).map(h=>h.toString(16)).
join(".")}}function he({sort:h,open:d}){i=h==="cum"?"cum":"flat",l.clear();for(let x of d.split("."))x&&l.add(Number.parseInt(
x,16));m=[]}function X(){let h=s.get(P(document.activeElement));return h?n.funcs[h.fn][0]:""}return{refresh:E,state:V,restore:he,
focusedName:X}}function G(e,t,n){let r=document.createElement(e);return r.setAttribute("role",t),n&&(r.className=n),r}function Zt(e,t){
let n=Pe(e);return t.reduce((r,o,a)=>Be(r,n[o],a+1),0)>>>0}function en(e){let t=document.querySelector(".stage");W.jump(
...e),t.scrollIntoView({block:"center"}),t.focus({preventScroll:!0})}function yt(e,t){let n=document.getElementById("fun\
ctions");if(!n)return W.start(e,t),[];let r,o=()=>{n.open&&r.refresh()},a=l=>{o(),t(l)};return r=Jt(document.getElementById(
"function-table"),document.getElementById("row-said"),e,{shown:W.shownFunctions,show:en,changed:a}),W.start(e,a),n.addEventListener(
"toggle",o),[{write:l=>{let{sort:s,open:i}=r.state();s!=="flat"&&l.set("sort",s),i&&l.set("rows",i)},read:l=>{r.restore(
{sort:l.get("sort"),open:l.get("rows")??""}),o()}}]}document.documentElement.classList.add("js");I.start();Ee.start();var wt=JSON.parse(document.getElementById("data").textContent),
tn=yt(wt.flame,pe.changed),nn=pe.start([...wt.flame.graphs?.length?[gt()]:[],...tn,Ee.part],Ee.follow);bt(nn)&&document.
getElementById("profiles")?.scrollIntoView();Ke();})();

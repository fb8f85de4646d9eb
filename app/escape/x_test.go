package escape
import ("testing";"time";"os";"strings";"fmt";"path/filepath";"encoding/json"
"github.com/gocasebook/casebook/app/heat"
"github.com/gocasebook/casebook/diagnose"
"github.com/gocasebook/casebook/casefile"
)
func TestX(t *testing.T){
 var in diagnose.Input
 in.Build=casefile.Build{Module:os.Getenv("XMOD")}
 for _,g:=range strings.Fields(os.Getenv("XPROF")){ fs,_:=filepath.Glob(g); for _,f:=range fs{ d,_:=os.ReadFile(f); in.Evidence=append(in.Evidence,diagnose.Evidence{Name:f,Data:d})}}
 sets,_:=heat.Read(in)
 m:=heat.Of(sets,nil)
 t0:=time.Now()
 r,err:=Run(t.Context(), Config{Map:m, Dir:os.Getenv("XDIR"), Packages: strings.Fields(os.Getenv("XPKG")), Main: os.Getenv("XMAIN"),Top:40})
 fmt.Println(time.Since(t0), err)
 if err!=nil {t.Fatal(err)}
 b,_:=json.MarshalIndent(r.Explained,""," "); fmt.Println(string(b))
 fmt.Println(r.Bytes,r.Seconds,r.GC)
 for _,l:=range r.Lines { fmt.Printf("%.1f%% %s %s:%d | %s\n", l.Share*100, l.Function, filepath.Base(l.File), l.Number, l.Text)
  for _,r:=range l.Reasons { fmt.Printf("     %.1f%% %s %s [%s] %s; %s at %s in %s via %s also %v\n        -> %s\n", r.Share*100, r.Kind, r.What, r.From, r.Why,"", r.At.Short(), r.In, r.Via, r.Also, r.Change) } }
 for _,f:=range r.NotInline { fmt.Printf("%+v\n",f)}
 for _,f:=range r.Bounds { fmt.Printf("%+v\n",f)}
 fmt.Println(r.Gaps)
}

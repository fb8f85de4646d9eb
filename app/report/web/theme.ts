// The theme follows the system until the button is used. Canvases cannot follow style sheets: they ask here for colours,
// and are told when to ask again.

export const theme = (() => {
  const root = document.documentElement;
  const system = matchMedia('(prefers-color-scheme: dark)');
  const listeners: (() => void)[] = [];
  const probe = document.createElement('span');
  probe.hidden = true;
  document.body.append(probe);

  let chosen = '';
  let printing = false;
  const isDark = () => !printing && (chosen ? chosen === 'dark' : system.matches);

  function apply() {
    root.style.colorScheme = printing ? 'light' : chosen;
    const button = document.getElementById('theme')!;
    button.textContent = isDark() ? 'Light' : 'Dark';
    for (const f of listeners) f();
  }
  function start() {
    document.getElementById('theme')!.addEventListener('click', () => {
      chosen = isDark() ? 'light' : 'dark';
      apply();
    });
    system.addEventListener('change', apply);
    addEventListener('beforeprint', () => { printing = true; apply(); });
    addEventListener('afterprint', () => { printing = false; apply(); });
    apply();
  }
  function color(name: string) {
    probe.style.color = 'var(--' + name + ')';
    return getComputedStyle(probe).color;
  }
  function font(name: string) { return getComputedStyle(root).getPropertyValue('--' + name).trim(); }
  return { start, color, font, onChange: (f: () => void) => listeners.push(f) };
})();

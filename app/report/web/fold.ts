// Folds: a link to a finding opens it, and on paper every finding is open.

export function folds() {
  const unfold = () => {
    const at = location.hash.startsWith('#finding-') ? document.getElementById(location.hash.slice(1)) as HTMLDetailsElement | null : null;
    if (at) at.open = true;
  };
  addEventListener('hashchange', unfold);
  unfold();
  let closed: HTMLDetailsElement[] = [];
  addEventListener('beforeprint', () => {
    closed = [...document.querySelectorAll<HTMLDetailsElement>('details.finding:not([open])')];
    for (const d of closed) d.open = true;
  });
  addEventListener('afterprint', () => { for (const d of closed) d.open = false; });
}

// The page works without this file: it adds the charts, the flame graph, the theme button and the copy buttons.

function copyButtons() {
  for (const button of document.querySelectorAll('[data-copy]')) {
    button.addEventListener('click', async () => {
      const source = document.getElementById(button.dataset.copy);
      try {
        await navigator.clipboard.writeText(source.textContent);
        button.textContent = 'Copied';
      } catch { // no permission: select it, so that one key copies it
        getSelection().selectAllChildren(source);
        button.textContent = 'Selected';
      }
    });
  }
}

document.documentElement.classList.add('js');
theme.start();
const pageData = JSON.parse(document.getElementById('data').textContent);
charts.start(pageData.vitals);
flame.start(pageData.flame);
copyButtons();
for (const button of document.querySelectorAll('[data-mark]')) {
  button.addEventListener('click', () => flame.showMark(Number(button.dataset.mark)));
}

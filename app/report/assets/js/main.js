// The page works without this file: it adds the charts, the flame graph, the theme button and the copy buttons.

document.documentElement.classList.add('js');
theme.start();
folds();
const pageData = JSON.parse(document.getElementById('data').textContent);
charts.start(pageData.vitals);
foldedFunctions(pageData.flame);
copyButtons();
for (const button of document.querySelectorAll('[data-mark]')) {
  button.addEventListener('click', () => flame.showMark(Number(button.dataset.mark)));
}
for (const chip of document.querySelectorAll('[data-graph]')) {
  chip.addEventListener('click', () => flame.showGraph(Number(chip.dataset.graph)));
}

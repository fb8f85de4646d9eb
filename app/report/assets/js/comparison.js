// The page of a comparison works without this file: it adds the flame graph, the theme button and the copy buttons.

document.documentElement.classList.add('js');
theme.start();
foldedFunctions(JSON.parse(document.getElementById('data').textContent).flame);
copyButtons();

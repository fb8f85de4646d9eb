// Buttons that copy the text of an element.

export function copyButtons() {
  for (const button of document.querySelectorAll<HTMLElement>('[data-copy]')) {
    button.addEventListener('click', async () => {
      const source = document.getElementById(button.dataset.copy!)!;
      try {
        await navigator.clipboard.writeText(source.textContent);
        button.textContent = 'Copied';
      } catch { // no permission: select it, so that one key copies it
        getSelection()!.selectAllChildren(source);
        button.textContent = 'Selected';
      }
    });
  }
}

// Shows each button [data-copy], which copies the text of the element of that id, and says that it has done so.
// Without JavaScript the buttons stay hidden, and the text can be marked and copied as ever.
(() => {
  "use strict";
  const copy = async (source) => {
    // Browsers offer the clipboard to secure addresses alone; elsewhere the text is marked and the old command tried.
    if (navigator.clipboard) return navigator.clipboard.writeText(source.textContent.trim());
    getSelection().selectAllChildren(source);
    if (!document.execCommand("copy")) throw new Error("not allowed");
    return undefined;
  };

  for (const button of document.querySelectorAll("button[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const source = document.getElementById(button.dataset.copy);
      try {
        await copy(source);
        button.textContent = button.dataset.done;
      } catch {
        // Marked at least: the reader's own keys copy it.
        getSelection().selectAllChildren(source);
      }
    });
  }
})();

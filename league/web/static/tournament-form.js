// Shows the fields that apply to what is chosen in the form of a tournament, and hides the others, at once.
// Without JavaScript buttons let the form come back with them.
(() => {
  "use strict";
  const form = document.querySelector("form[data-fields]");
  if (!form) return;

  // What has no place in the form, or is hidden, has no value.
  const chosen = (name) => {
    const field = form.elements[name];
    return field && !field.disabled ? field.value : "";
  };

  // "a b=x y;c=z": one of the fields a and b is x or y, and c is z.
  const applies = (when) =>
    when.split(";").every((pair) => {
      const [names, values] = pair.split("=");
      const allowed = values.split(" ");
      return names.split(" ").some((name) => allowed.includes(chosen(name)));
    });

  const show = () => {
    for (const part of form.querySelectorAll("[data-when]")) {
      const is = applies(part.dataset.when);
      part.hidden = !is;
      for (const field of part.querySelectorAll("input, select")) field.disabled = !is;
    }
    for (const words of document.querySelectorAll("#format-words [data-format]")) {
      for (const select of form.querySelectorAll('select[name^="stage_"][name$="_format"]')) {
        if (select.value !== words.dataset.format) continue;
        const help = document.getElementById(`${select.id}_helptext`);
        if (help) help.textContent = words.textContent;
        form.elements[select.name.replace("_format", "_shown")].value = select.value;
      }
    }
  };

  for (const part of form.querySelectorAll("[data-without-script]")) part.hidden = true;
  form.addEventListener("change", show);
  show();
})();

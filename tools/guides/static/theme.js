// Before anything is drawn: the colours that the reader has chosen. Then, what can be moved sideways can be reached by the keyboard.
document.body.dataset.theme = localStorage.getItem("theme") || "auto";
document.addEventListener("DOMContentLoaded", () => {
  for (const part of document.querySelectorAll(".highlight > pre, .table-wrapper")) part.tabIndex = 0;
});

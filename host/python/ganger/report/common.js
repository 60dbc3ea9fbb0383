// SPDX-License-Identifier: Apache-2.0
// What the pages of `ganger report` and `ganger web` share.
"use strict";

const COLOURS = ["#3b6fb6", "#e07b39", "#3f9b6e", "#c2455e", "#8a63b8", "#b58a1b", "#2f9fb3", "#d56ba6", "#7a8c3a", "#6b7280"];
const at = id => document.getElementById(id);
const make = (name, textContent, more = {}) => Object.assign(document.createElement(name), { textContent, ...more });
const styleOf = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// A canvas as large as what is seen of it, cleared; the unit is a CSS pixel.
function begin(canvas, height) {
  const width = canvas.parentElement.clientWidth, scale = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.style.height = `${height}px`;
  const pen = canvas.getContext("2d");
  pen.scale(scale, scale);
  pen.font = '11px system-ui, "DejaVu Sans", sans-serif';
  pen.textBaseline = "middle";
  pen.fillStyle = styleOf("--panel");
  pen.fillRect(0, 0, width, height);
  return { pen, width, height };
}

// Dark or light: what the browser asks for, until the key or the button changes it.
function setTheme(dark) {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
}

const otherTheme = () => setTheme(document.documentElement.dataset.theme !== "dark");
setTheme(window.matchMedia("(prefers-color-scheme: dark)").matches);

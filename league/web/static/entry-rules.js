// What a round's numbers are worth while they are typed: places, errors, and what looks implausible.
// The same rules as league/scoring/rounds.py, with the limits that the page brings along; the server stays the judge.
(() => {
  "use strict";
  const tischliga = window.tischliga || {};
  window.tischliga = tischliga;

  // Equal numbers share the place, the following places are skipped.
  const places = (numbers, highWins) => numbers.map(
    (own) => 1 + numbers.filter((other) => (highWins ? other > own : other < own)).length,
  );

  const beyond = (bounds, points) => {
    const found = [];
    points.forEach((value, index) => {
      if (bounds.minimum !== null && value < bounds.minimum) found.push(["points_below", index, { minimum: bounds.minimum }]);
      if (bounds.maximum !== null && value > bounds.maximum) found.push(["points_above", index, { maximum: bounds.maximum }]);
    });
    const total = points.reduce((sum, value) => sum + value, 0);
    if (bounds.togetherMaximum !== null && total > bounds.togetherMaximum) {
      found.push(["points_together_above", null, { maximum: bounds.togetherMaximum, total }]);
    }
    return found;
  };

  const oddPoints = (bounds, points) => {
    const found = [];
    points.forEach((value, index) => {
      if (bounds.low !== null && value < bounds.low) found.push(["points_low", index, { minimum: bounds.low }]);
      if (bounds.high !== null && value > bounds.high) found.push(["points_high", index, { maximum: bounds.high }]);
      if (bounds.cheapest !== null && value > 0 && value < bounds.cheapest) {
        found.push(["below_cheapest", index, { minimum: bounds.cheapest }]);
      }
    });
    const atZero = points.filter((value) => value === 0).length;
    if (bounds.zero === "exactly_one" && atZero === 0) found.push(["nobody_at_zero", null, {}]);
    if (bounds.zero !== "any" && atZero > 1) found.push(["several_at_zero", null, { count: atZero }]);
    const total = points.reduce((sum, value) => sum + value, 0);
    const { togetherLow: minimum, togetherHigh: maximum } = bounds;
    if (minimum !== null && maximum !== null && (total < minimum || total > maximum)) {
      found.push(["together_implausible", null, { minimum, maximum, total }]);
    }
    return found;
  };

  const told = (found) => found.map(([code, index, params]) => ({ code, index, params }));

  // `kind` is "points" or "place"; `numbers` are whole, one a player in their order. Answers with a place each (null in
  // a game of the whole table), and errors and warnings as {code, index, params}; index null is about all of them.
  const judge = (game, note, kind, numbers) => {
    const errors = [];
    const warnings = [];
    const [least, most] = game.players;
    const count = numbers.length;
    if (count < least || count > most) errors.push(["players_out_of_range", null, { minimum: least, maximum: most, count }]);
    const bounds = (game.bounds[note] || game.bounds[""])[count];
    let got;
    if (kind === "place") {
      got = numbers;
      places(numbers, false).forEach((expected, index) => {
        if (expected !== numbers[index]) errors.push(["place_expected", index, { expected, given: numbers[index] }]);
      });
      const firsts = numbers.filter((one) => one === 1).length;
      if (bounds && bounds.zero === "exactly_one" && firsts > 1) warnings.push(["shared_first", null, {}]);
    } else {
      got = game.together ? numbers.map(() => null) : places(numbers, game.high);
      if (bounds) errors.push(...beyond(bounds, numbers));
      if (bounds && !game.together) warnings.push(...oddPoints(bounds, numbers));
      if (bounds && game.together && bounds.high !== null && numbers[0] > bounds.high) {
        warnings.push(["too_many_left", null, { maximum: bounds.high }]);
      }
    }
    return { places: got, errors: told(errors), warnings: errors.length ? [] : told(warnings) };
  };

  // A sentence with its %(name)s filled in; of a count the form for it in the page's language.
  const say = (sentence, params = {}) => {
    let form = sentence;
    if (typeof sentence === "object") {
      form = sentence[new Intl.PluralRules(document.documentElement.lang).select(params.count)] || sentence.other;
    }
    return form.replace(/%\((\w+)\)[sd]/g, (_whole, name) => params[name]).replace(/%%/g, "%");
  };

  Object.assign(tischliga, { places, judge, say });
})();

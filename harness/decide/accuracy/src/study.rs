//! An observer of an execution that applies each method at the sampled steps.

use std::time::{Duration, Instant};

use results::{ACCURACY_SCHEMA, Accuracy, MethodAccuracy, MissPlace, Misses, Share};
use types::{Abi, CodePoint, Frame, FrameRegs, LeftBy, Observer, Outermost, Pc, Step};

use crate::chain::{MOST_FRAMES, walk};
use crate::compare::compare;
use crate::place::Places;
use crate::questions::Questions;
use crate::registers::Restored;
use crate::worst::Missed;
use crate::{Draw, Lost, Method, Parts, QuestionedTable, methods, sizes};

/// Whether time is measured. It differs from run to run, so it is measured only if requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Timing {
    /// Not measured.
    Skipped,
    /// Measured with the clock of this machine.
    Measured,
}

/// Applies each method at the sampled steps.
pub struct Study<'p> {
    abi: Abi,
    parts: &'p Parts<'p>,
    places: Places<'p>,
    draw: Draw,
    timing: Timing,
    /// Address and size of the program's `main`, if it has that symbol.
    main: Option<(u64, u64)>,
    steps: u64,
    samples: u64,
    tallies: Vec<Tally<'p>>,
    questions: Option<Questions>,
    restored: Restored,
    /// The true callers, innermost first.
    truth: Vec<Frame>,
}

/// A method with its counts.
struct Tally<'p> {
    method: Box<dyn Method + 'p>,
    own: Share,
    all: Share,
    skips: u64,
    invents: u64,
    ends_early: u64,
    misses: [(u64, u64); MissPlace::ALL.len()],
    missed: Missed,
    time: Duration,
    frames: u64,
}

/// A sample, with its true callers.
struct Sample<'s, 'e> {
    step: &'s Step<'e>,
    regs: &'s FrameRegs,
    truth: &'s [Frame],
    /// True if the innermost frame is the program's own.
    is_own: bool,
    /// Number of callers of the program's own frames, from the innermost on.
    own_callers: usize,
    /// Number of callers in a complete chain.
    expected: usize,
}

impl<'p> Study<'p> {
    /// The study of a process with these objects.
    pub fn new(abi: Abi, parts: &'p Parts<'p>, draw: Draw, timing: Timing) -> Study<'p> {
        let tally = |method| Tally {
            method,
            own: Share::default(),
            all: Share::default(),
            skips: 0,
            invents: 0,
            ends_early: 0,
            misses: [(0, 0); MissPlace::ALL.len()],
            missed: Missed::default(),
            time: Duration::ZERO,
            frames: 0,
        };
        let tallies = methods::all(abi, parts).into_iter().map(tally).collect();
        let places = Places::new(abi, parts);
        let symbols = parts.iter().take(1).flat_map(|part| &part.image.symbols);
        let mut mains = symbols.filter(|symbol| symbol.function && symbol.name.as_str() == "main");
        let main = mains.next().map(|symbol| (symbol.address, symbol.size));
        Study {
            abi,
            parts,
            places,
            draw,
            timing,
            main,
            steps: 0,
            samples: 0,
            tallies,
            questions: None,
            restored: Restored::new(abi.facts()),
            truth: Vec::new(),
        }
    }

    /// Keeps the frames of every Nth sample as questions for readers.
    #[must_use]
    pub fn with_questions(self, every: u64) -> Study<'p> {
        Study { questions: Some(Questions::new(every.max(1), self.parts)), ..self }
    }

    /// Returns the questions, which are not kept any longer.
    pub fn take_questions(&mut self) -> Vec<QuestionedTable> {
        self.questions.take().map(|questions| questions.finish(self.abi, self.parts)).unwrap_or_default()
    }

    /// Returns the measurements, without data on the execution as a whole.
    pub fn finish(self) -> Accuracy {
        let image = self.parts.iter().next().map(|part| part.image);
        let tables = self.parts.iter().enumerate().flat_map(|(index, part)| sizes::tables(part, index == 0));
        Accuracy {
            schema: ACCURACY_SCHEMA,
            file: image.map(|image| image.name.clone()).unwrap_or_default(),
            abi: self.abi,
            steps: 0,
            samples: self.samples,
            seed: 0,
            end: String::new(),
            finished: false,
            tables: tables.collect(),
            registers: self.restored.finish(),
            readers: Vec::new(),
            methods: self.tallies.into_iter().map(|tally| tally.finish(self.timing, self.parts)).collect(),
        }
    }

    #[cold]
    fn sample(&mut self, step: &Step<'_>) {
        if step.outermost == Outermost::Unfollowed {
            // Its whole chain is not known.
            return;
        }
        self.samples += 1;
        let regs = FrameRegs::snapshot(&step.regs);
        self.truth.clear();
        self.truth.extend(step.frames.iter().take(MOST_FRAMES).copied());
        let is_own = |at: CodePoint| self.parts.at(at.lookup()).is_some_and(|(index, _)| index == 0);
        let code = |index: usize| position(step, &self.truth, index);
        let own_frames = (0..=self.truth.len()).take_while(|index| code(*index).is_some_and(is_own)).count();
        let expected = self.expected(step.pc);
        let sample =
            Sample { step, regs: &regs, truth: &self.truth, is_own: own_frames > 0, own_callers: own_frames, expected };
        for tally in &mut self.tallies {
            tally.add(self.abi, &sample, &mut self.places, self.timing);
        }
        self.restored.sample(step, self.parts);
        if let Some(questions) = &mut self.questions {
            questions.add(self.samples, self.abi, self.parts, step, &regs, &self.truth);
        }
    }
}

impl Study<'_> {
    /// Number of callers in a complete chain: up to that of `main`, if it is live, else all. The C
    /// library's frames below `main` are not required.
    fn expected(&self, pc: Pc) -> usize {
        let Some(main) = self.main else { return self.truth.len() };
        let in_main = |pc: Pc| pc.0.wrapping_sub(main.0) < main.1;
        let live = self
            .truth
            .iter()
            .rposition(|frame| frame.left_by == LeftBy::Call && in_main(CodePoint::AfterCall(frame.ra).lookup()));
        let below_main = live.map(|index| index + 1).or(in_main(pc).then_some(0));
        below_main.map_or(self.truth.len(), |below| (below + 1).min(self.truth.len()))
    }
}

/// Code address of a frame; 0 is the innermost.
fn position(step: &Step<'_>, truth: &[Frame], index: usize) -> Option<CodePoint> {
    let Some(below) = index.checked_sub(1) else { return Some(CodePoint::Exact(step.pc)) };
    truth.get(below).map(|frame| match frame.left_by {
        LeftBy::Call | LeftBy::Nothing => CodePoint::AfterCall(frame.ra),
        LeftBy::Signal => CodePoint::Exact(frame.ra),
    })
}

impl Observer for Study<'_> {
    #[inline]
    fn step(&mut self, step: &Step<'_>) {
        self.steps += 1;
        self.restored.observe(step);
        if self.draw.takes(self.steps) {
            self.sample(step);
        }
    }
}

impl Tally<'_> {
    fn add(&mut self, abi: Abi, sample: &Sample<'_, '_>, places: &mut Places<'_>, timing: Timing) {
        let Sample { step, truth, .. } = *sample;
        // One more caller than exists shows that a method continues after the outermost frame.
        let most = (truth.len() + 1).min(MOST_FRAMES);
        let began = (timing == Timing::Measured).then(Instant::now);
        let chain = walk(&*self.method, step, sample.regs, most);
        if let Some(began) = began {
            self.time += began.elapsed();
            self.frames += chain.callers.len() as u64 + u64::from(chain.callers.len() < most);
        }
        let compared = compare(abi, step.regs.sp, &chain.callers, truth, sample.expected);
        let ends = sample.expected < truth.len() || chain.callers.len() == truth.len();
        let is_right = compared.right >= sample.expected && ends;
        let first = compared.right > 0 || is_right;
        let count = |share: &mut Share, chain: bool| {
            share.samples += 1;
            share.first += u64::from(first);
            share.chain += u64::from(chain);
        };
        count(&mut self.all, is_right);
        if sample.is_own {
            count(&mut self.own, is_right || sample.own_callers <= compared.right);
        }
        self.skips += u64::from(compared.skips);
        self.invents += u64::from(compared.invents);
        self.ends_early += u64::from(compared.ends_early);
        if is_right {
            return;
        }
        let at = compared.right.min(truth.len());
        let lost = chain.lost.filter(|_| chain.callers.len() == compared.right);
        let (place, in_program) = place(sample, at, lost, places);
        if let Some(code) = position(step, truth, at) {
            self.missed.add(code.lookup(), place);
        }
        for (one, (own, library)) in MissPlace::ALL.into_iter().zip(&mut self.misses) {
            if one == place {
                *(if in_program { own } else { library }) += 1;
            }
        }
    }

    fn finish(self, timing: Timing, parts: &Parts<'_>) -> MethodAccuracy {
        let misses = MissPlace::ALL.into_iter().zip(self.misses).filter(|(_, (own, library))| own + library > 0);
        let mean = || self.time.as_nanos() as f64 / self.frames.max(1) as f64;
        MethodAccuracy {
            method: self.method.name(),
            own: self.own,
            all: self.all,
            skips: self.skips,
            invents: self.invents,
            ends_early: self.ends_early,
            misses: misses.map(|(place, (own, library))| Misses { place, own, library }).collect(),
            nanoseconds_per_frame: (timing == Timing::Measured).then(mean),
            worst: self.missed.worst(parts),
        }
    }
}

/// Place of the frame whose caller was not found, and whether it is the program's own.
fn place(sample: &Sample<'_, '_>, at: usize, lost: Option<Lost>, places: &mut Places<'_>) -> (MissPlace, bool) {
    let code = position(sample.step, sample.truth, at);
    let in_program = code.is_some_and(|code| places.is_program(code.lookup()));
    let left_by_signal = |index: usize| sample.truth.get(index).is_some_and(|frame| frame.left_by == LeftBy::Signal);
    let place = match (code, lost) {
        _ if left_by_signal(at) || at.checked_sub(1).is_some_and(left_by_signal) => MissPlace::Signal,
        (_, Some(Lost::NoTable)) => MissPlace::NoTable,
        (Some(code), Some(Lost::Unreadable) | None) => places.place(code.lookup()),
        (None, _) => MissPlace::NoSymbol,
    };
    (place, in_program)
}

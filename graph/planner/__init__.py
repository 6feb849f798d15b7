"""The planner: a pure function from a goal and what may teach it to an ordered plan.

A learning path is not a shortest path. It is the AND-closure of the prerequisites, less what is known, with topics that
need each other grouped (strongly connected components), in a topological order that keeps related topics together.
"""

from graph.closure import mastered
from graph.planner.choosing import UNAIDED_MINUTES, choose
from graph.planner.deepening import deepen
from graph.planner.exercises import kernels
from graph.planner.extending import Cost, extend
from graph.planner.merits import SURELY, Merits, merit
from graph.planner.ordering import order
from graph.planner.plans import Choice, Groups, Plan
from graph.planner.shortening import cheapest, improve
from graph.planner.teachers import MINUTES, Teacher, Teachers, basis

__all__ = [
    "MINUTES",
    "SURELY",
    "UNAIDED_MINUTES",
    "Choice",
    "Cost",
    "Groups",
    "Merits",
    "Plan",
    "Teacher",
    "Teachers",
    "basis",
    "cheapest",
    "choose",
    "deepen",
    "extend",
    "improve",
    "kernels",
    "mastered",
    "merit",
    "order",
]
